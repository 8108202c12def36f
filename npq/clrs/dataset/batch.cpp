#include "npq/clrs/dataset/batch.h"

#include <algorithm>
#include <utility>

#include "npq/base/error.h"

namespace npq::clrs {
namespace {

const Array& find(const std::vector<Array>& arrays, std::string_view name) {
  const auto found = std::find_if(arrays.begin(), arrays.end(),
                                  [&](const Array& array) { return array.probe.name == name; });
  if (found == arrays.end()) throw Error("this batch has no '{}'", name);
  return *found;
}

}  // namespace

const Array& Batch::input(std::string_view name) const { return find(inputs, name); }
const Array& Batch::hint(std::string_view name) const { return find(hints, name); }
const Array& Batch::output(std::string_view name) const { return find(outputs, name); }

Batch make_batch(std::span<const Sample* const> samples, int steps) {
  NPQ_ASSERT(!samples.empty());
  const Spec& spec = samples[0]->spec();
  const int nodes = samples[0]->nodes();
  Batch batch;
  for (const Sample* sample : samples) {
    NPQ_ASSERT(&sample->spec() == &spec && sample->nodes() == nodes);
    batch.lengths.push_back(sample->length());
  }
  for (std::size_t k = 0; k < spec.size(); ++k) {
    const bool timed = spec[k].stage == Stage::Hint;
    Array array{.probe = spec[k], .shape = shape(spec[k], nodes)};
    if (timed)
      array.probe.number = Number::Float64;  // as the benchmark: padding makes floats of all hints
    const std::int64_t width = elements(spec[k], nodes);
    array.shape.insert(array.shape.begin(), batch.size());
    if (timed) array.shape.insert(array.shape.begin(), steps);
    array.values.resize((timed ? steps : 1) * batch.size() * width);
    for (std::int64_t b = 0; b < batch.size(); ++b) {
      const Series series = samples[b]->series(k);
      const int there = timed ? std::min(steps, series.length()) : 1;
      for (int t = 0; t < there; ++t)
        series.expand(t, array.values.data() + (t * batch.size() + b) * width);
    }
    auto& stage = timed                           ? batch.hints
                  : spec[k].stage == Stage::Input ? batch.inputs
                                                  : batch.outputs;
    stage.push_back(std::move(array));
  }
  return batch;
}

}  // namespace npq::clrs
