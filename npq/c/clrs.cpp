// The data of CLRS-30 through C: datasets, samples, batches, samplers.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "npq/c/clrs_options.h"
#include "npq/c/clrs_sampler.h"
#include "npq/c/clrs_things.h"

namespace npq::c {
namespace {

using nlohmann::json;

json spec_json(const clrs::Spec& spec) {
  auto probes = json::array();
  for (const auto& probe : spec)
    probes.push_back({{"name", probe.name},
                      {"stage", name_of(probe.stage)},
                      {"location", name_of(probe.location)},
                      {"type", name_of(probe.type)},
                      {"classes", probe.classes}});
  return probes;
}

json catalog_json() {
  auto rows = json::array();
  for (const auto table : {clrs::catalog(), clrs::structure_tasks()})
    for (const auto& algorithm : table)
      rows.push_back({{"name", algorithm.name},
                      {"family", name_of(algorithm.family)},
                      {"minimum_nodes", algorithm.minimum_length},
                      {"spec", spec_json(algorithm.spec())}});
  return rows;
}

json describe(const ClrsDataset& dataset) {
  const auto& data = dataset.data;
  const bool head = data.options.sampler.generator == clrs::Generator::Head;
  return {{"algorithm", data.algorithm->name}, {"generator", head ? "head" : "v1"},
          {"samples", data.samples.size()},    {"nodes", data.samples.front().nodes()},
          {"steps", data.longest()},           {"bytes", data.bytes()},
          {"spec", spec_json(dataset.spec())}};
}

npq_handle keep_text(const json& value) { return keep(std::make_shared<Text>(value.dump())); }

npq_handle keep_dataset(const clrs::Algorithm& algorithm, const clrs::GenerateOptions& options) {
  return keep(std::make_shared<ClrsDataset>(clrs::generate(algorithm, options, threads())));
}

std::int32_t dtype_number(Dtype dtype) {
  if (dtype == Dtype::I64) return NPQ_INT64;
  return dtype == Dtype::F32 ? NPQ_FLOAT32 : NPQ_FLOAT64;
}

}  // namespace

const clrs::Sample& ClrsDataset::sample(std::int64_t index) const {
  const auto count = static_cast<std::int64_t>(data.samples.size());
  if (index < 0 || index >= count)
    throw UsageError("there is no sample {}; the dataset has {}, numbered from 0", index, count);
  return data.samples[index];
}

std::vector<const clrs::Sample*> ClrsDataset::samples(std::span<const std::int64_t> indices) const {
  if (indices.empty()) throw UsageError("no sample was asked for; give at least one index");
  std::vector<const clrs::Sample*> chosen;
  for (const auto index : indices) chosen.push_back(&sample(index));
  return chosen;
}

}  // namespace npq::c

using namespace npq::c;
using npq::UsageError;

npq_status npq_arrays(npq_handle arrays, size_t* count) {
  return guarded([&] { *required(count, "count") = find_as<Arrays>(arrays)->all.size(); });
}

npq_status npq_array_at(npq_handle arrays, size_t index, npq_array* array) {
  return guarded([&] {
    required(array, "array");
    const auto found = find_as<Arrays>(arrays);
    if (index >= found->all.size())
      throw UsageError("there is no array {}; there are {}, numbered from 0", index,
                       found->all.size());
    auto& chosen = found->all[index];
    NPQ_ASSERT(chosen.shape.size() <= NPQ_MOST_AXES);
    *array = {.stage = chosen.stage.c_str(),
              .name = chosen.name.c_str(),
              .dtype = dtype_number(chosen.dtype),
              .axes = static_cast<int32_t>(chosen.shape.size()),
              .shape = {},
              .data = chosen.bytes.get()};
    std::copy(chosen.shape.begin(), chosen.shape.end(), array->shape);
  });
}

npq_status npq_clrs_catalog(npq_handle* text) {
  return guarded([&] { *required(text, "text") = keep_text(catalog_json()); });
}

npq_status npq_clrs_load(const char* algorithm, const char* split, npq_handle* dataset) {
  return guarded([&] {
    required(dataset, "dataset");
    const auto& row = npq::clrs::find_algorithm(required(algorithm, "algorithm"));
    const auto wanted = npq::clrs::find_split(required(split, "split"));
    *dataset = keep_dataset(row, npq::clrs::official_split(row, wanted));
  });
}

npq_status npq_clrs_generate(const char* options, npq_handle* dataset) {
  return guarded([&] {
    required(dataset, "dataset");
    const auto request = generate_request(required(options, "options"));
    *dataset = keep_dataset(*request.algorithm, request.options);
  });
}

npq_status npq_clrs_describe(npq_handle dataset, npq_handle* text) {
  return guarded([&] {
    required(text, "text");
    *text = keep_text(describe(*find_as<ClrsDataset>(dataset)));
  });
}

npq_status npq_clrs_lengths(npq_handle dataset, int64_t* lengths, size_t count) {
  return guarded([&] {
    required(lengths, "lengths");
    const auto found = find_as<ClrsDataset>(dataset);
    const auto& samples = found->data.samples;
    if (count != samples.size())
      throw UsageError("there is room for {} lengths; the dataset has {} samples", count,
                       samples.size());
    std::transform(samples.begin(), samples.end(), lengths,
                   [](const auto& sample) { return sample.length(); });
  });
}

npq_status npq_clrs_sample(npq_handle dataset, int64_t sample, int32_t numbers,
                           npq_handle* arrays) {
  return guarded([&] {
    required(arrays, "arrays");
    const auto found = find_as<ClrsDataset>(dataset);
    *arrays = keep(arrays_of(found->sample(sample), numbers_of(numbers)));
  });
}

npq_status npq_clrs_batch(npq_handle dataset, const int64_t* samples, size_t count, int64_t steps,
                          int32_t numbers, npq_handle* arrays) {
  return guarded([&] {
    required(arrays, "arrays");
    const auto found = find_as<ClrsDataset>(dataset);
    if (steps < 0 || steps > std::numeric_limits<int>::max())
      throw UsageError("steps are {}; give 1 or more, or 0 for the longest of the samples", steps);
    const auto chosen = found->samples({required(samples, "samples"), count});
    *arrays = keep(arrays_of(chosen, static_cast<int>(steps), numbers_of(numbers)));
  });
}

npq_status npq_clrs_sampler(const char* options, npq_handle* sampler) {
  return guarded([&] {
    required(sampler, "sampler");
    *sampler = keep(make_sampler(sampler_request(required(options, "options"))));
  });
}

npq_status npq_clrs_sampler_resume(const char* options, const char* position, npq_handle* sampler) {
  return guarded([&] {
    required(sampler, "sampler");
    const auto request = sampler_request(required(options, "options"));
    *sampler = keep(resume_sampler(request, required(position, "position")));
  });
}

npq_status npq_clrs_sampler_position(npq_handle sampler, npq_handle* text) {
  return guarded([&] {
    required(text, "text");
    *text = keep(std::make_shared<Text>(position_of(*find_as<ClrsSampler>(sampler))));
  });
}

npq_status npq_clrs_next(npq_handle sampler, int32_t numbers, npq_handle* arrays) {
  return guarded([&] {
    required(arrays, "arrays");
    const auto layout = numbers_of(numbers);
    *arrays = keep(arrays_of(next_batch(*find_as<ClrsSampler>(sampler)), layout));
  });
}
