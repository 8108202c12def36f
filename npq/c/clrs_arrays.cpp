// Samples and batches as arrays.
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "npq/base/resources.h"
#include "npq/c/clrs_things.h"

namespace npq::c {
namespace {

using clrs::Stage;

Dtype dtype_for(clrs::Number number, Numbers numbers) {
  if (number == clrs::Number::Int64) return Dtype::I64;
  return numbers == Numbers::Single ? Dtype::F32 : Dtype::F64;
}

/// An array with room for its numbers, which are not set.
Arrays::Array empty_array(std::string_view stage, std::string_view name, Dtype dtype,
                          std::vector<std::int64_t> shape) {
  const auto bytes = array_bytes(dtype, shape);
  if (!bytes || *bytes > static_cast<std::uint64_t>(std::numeric_limits<std::ptrdiff_t>::max()))
    throw std::bad_alloc();
  return {std::string(stage), std::string(name), dtype, std::move(shape),
          std::make_unique_for_overwrite<std::byte[]>(std::max<std::uint64_t>(1, *bytes))};
}

/// Calls body with a pointer to the array's numbers in their own type.
template <class Body>
void with_numbers(Arrays::Array& array, Body body) {
  std::byte* const bytes = array.bytes.get();
  if (array.dtype == Dtype::I64) return body(reinterpret_cast<std::int64_t*>(bytes));
  if (array.dtype == Dtype::F32) return body(reinterpret_cast<float*>(bytes));
  body(reinterpret_cast<double*>(bytes));
}

Arrays::Array lengths_array(std::span<const double> lengths, Numbers numbers) {
  auto array = empty_array("lengths", "lengths", dtype_for(clrs::Number::Float64, numbers),
                           {static_cast<std::int64_t>(lengths.size())});
  with_numbers(array, [&](auto* out) { std::copy(lengths.begin(), lengths.end(), out); });
  return array;
}

/// Frame t of sample b lies at row t * B + b; what no sample has is zero.
template <class Number>
void lay_out(std::span<const clrs::Sample* const> samples, std::size_t probe, int steps,
             Number* out) {
  const auto width = clrs::elements(samples[0]->spec()[probe], samples[0]->nodes());
  const auto count = static_cast<std::int64_t>(samples.size());
  for (std::int64_t b = 0; b < count; ++b) {
    const auto series = samples[b]->series(probe);
    const int there = std::min(steps, series.length());
    for (std::int64_t t = 0; t < there; ++t) series.expand(t, out + (t * count + b) * width);
    for (std::int64_t t = there; t < steps; ++t)
      std::fill_n(out + (t * count + b) * width, width, Number{0});
  }
}

}  // namespace

void check_batch_fits(const clrs::Spec& spec, int nodes, std::int64_t samples, std::int64_t steps) {
  double numbers = 0;
  for (const auto& probe : spec)
    numbers += static_cast<double>(clrs::elements(probe, nodes)) *
               (probe.stage == Stage::Hint ? static_cast<double>(steps) : 1);
  check_memory(numbers * static_cast<double>(samples) * sizeof(double),
               fmt::format("a batch of {} samples of {} nodes and {} steps", samples, nodes, steps),
               "fewer samples, fewer steps, smaller graphs");
}

Numbers numbers_of(std::int32_t numbers) {
  if (numbers == NPQ_AS_STORED) return Numbers::AsStored;
  if (numbers == NPQ_SINGLE) return Numbers::Single;
  throw UsageError("numbers are {}; expected NPQ_AS_STORED (0) or NPQ_SINGLE (1)", numbers);
}

std::shared_ptr<Arrays> arrays_of(const clrs::Sample& sample, Numbers numbers) {
  auto arrays = std::make_shared<Arrays>();
  const auto& spec = sample.spec();
  for (std::size_t k = 0; k < spec.size(); ++k) {
    const auto series = sample.series(k);
    auto shape = clrs::shape(spec[k], sample.nodes());
    if (spec[k].stage == Stage::Hint) shape.insert(shape.begin(), series.length());
    auto array = empty_array(name_of(spec[k].stage), spec[k].name,
                             dtype_for(spec[k].number, numbers), std::move(shape));
    const auto width = clrs::elements(spec[k], sample.nodes());
    with_numbers(array, [&](auto* out) {
      for (std::int64_t t = 0; t < series.length(); ++t) series.expand(t, out + t * width);
    });
    arrays->all.push_back(std::move(array));
  }
  return arrays;
}

std::shared_ptr<Arrays> arrays_of(std::span<const clrs::Sample* const> samples, int steps,
                                  Numbers numbers) {
  std::vector<double> lengths;
  int longest = 0;
  for (const auto* sample : samples) {
    lengths.push_back(sample->length());
    longest = std::max(longest, sample->length());
  }
  if (steps == 0) steps = longest;
  check_batch_fits(samples[0]->spec(), samples[0]->nodes(),
                   static_cast<std::int64_t>(samples.size()), steps);
  auto arrays = std::make_shared<Arrays>();
  const auto& spec = samples[0]->spec();
  for (std::size_t k = 0; k < spec.size(); ++k) {
    const bool timed = spec[k].stage == Stage::Hint;
    auto shape = clrs::shape(spec[k], samples[0]->nodes());
    shape.insert(shape.begin(), static_cast<std::int64_t>(samples.size()));
    if (timed) shape.insert(shape.begin(), steps);
    // As the benchmark: padding makes floats of all hints.
    const auto number = timed ? clrs::Number::Float64 : spec[k].number;
    auto array = empty_array(name_of(spec[k].stage), spec[k].name, dtype_for(number, numbers),
                             std::move(shape));
    with_numbers(array, [&](auto* out) { lay_out(samples, k, timed ? steps : 1, out); });
    arrays->all.push_back(std::move(array));
  }
  arrays->all.push_back(lengths_array(lengths, numbers));
  return arrays;
}

std::shared_ptr<Arrays> arrays_of(const clrs::Batch& batch, Numbers numbers) {
  auto arrays = std::make_shared<Arrays>();
  for (const auto* stage : {&batch.inputs, &batch.hints, &batch.outputs}) {
    for (const auto& from : *stage) {
      auto array = empty_array(name_of(from.probe.stage), from.probe.name,
                               dtype_for(from.probe.number, numbers), from.shape);
      with_numbers(array, [&](auto* out) {
        using Number = std::remove_pointer_t<decltype(out)>;
        std::transform(from.values.begin(), from.values.end(), out,
                       [](double value) { return static_cast<Number>(value); });
      });
      arrays->all.push_back(std::move(array));
    }
  }
  arrays->all.push_back(lengths_array(batch.lengths, numbers));
  return arrays;
}

}  // namespace npq::c
