#pragma once
#include <cstdint>
#include <map>
#include <string_view>
#include <type_traits>
#include <vector>

#include "npq/clrs/spec/spec.h"
#include "npq/clrs/trace/sample.h"
#include "npq/clrs/trace/trace.h"

// One run of an algorithm, and what it showed as plain numbers, so that expectations can be written
// as lists.
namespace npq::test {

/// The sample of `algorithm` on `in`. Samples refer to their spec, so each spec is made once and
/// kept.
template <class In>
clrs::Sample run(clrs::Spec spec_of(), void algorithm(const In&, clrs::Trace&),
                 const std::type_identity_t<In>& in) {
  static std::map<clrs::Spec (*)(), clrs::Spec> specs;
  const auto [spec, fresh] = specs.try_emplace(spec_of);
  if (fresh) spec->second = spec_of();
  clrs::Trace trace(spec->second);
  algorithm(in, trace);
  return trace.finish();
}

template <class Stored, class Out>
std::vector<Out> frame(const clrs::Sample& sample, std::string_view name, int t) {
  const auto values = sample.series(name).frame<Stored>(t);
  return {values.begin(), values.end()};
}

// Step t of a probe; inputs and outputs have step 0 only. Edge values are row-major.
inline std::vector<double> scalars(const clrs::Sample& sample, std::string_view name, int t = 0) {
  return frame<double, double>(sample, name, t);
}
inline std::vector<int> mask(const clrs::Sample& sample, std::string_view name, int t = 0) {
  return frame<std::int8_t, int>(sample, name, t);
}
inline std::vector<int> pointers(const clrs::Sample& sample, std::string_view name, int t = 0) {
  return frame<std::uint16_t, int>(sample, name, t);
}
/// Class numbers, with kMaskedClass where an entry is not to be scored.
inline std::vector<int> classes(const clrs::Sample& sample, std::string_view name, int t = 0) {
  return frame<std::uint8_t, int>(sample, name, t);
}
/// The node that a mask_one marks.
inline int marked(const clrs::Sample& sample, std::string_view name, int t = 0) {
  return sample.series(name).frame<std::uint16_t>(t)[0];
}

// Graph-level probes hold one value a step.
inline double scalar(const clrs::Sample& sample, std::string_view name, int t = 0) {
  return sample.series(name).frame<double>(t)[0];
}
inline int flag(const clrs::Sample& sample, std::string_view name, int t = 0) {
  return sample.series(name).frame<std::int8_t>(t)[0];
}
inline int class_of(const clrs::Sample& sample, std::string_view name, int t = 0) {
  return sample.series(name).frame<std::uint8_t>(t)[0];
}

/// The marked node (or the value, the class) at every step, as one list over time.
inline std::vector<int> marked_over_time(const clrs::Sample& sample, std::string_view name) {
  std::vector<int> nodes(sample.length());
  for (int t = 0; t < sample.length(); ++t) nodes[t] = marked(sample, name, t);
  return nodes;
}
inline std::vector<double> scalar_over_time(const clrs::Sample& sample, std::string_view name) {
  std::vector<double> values(sample.length());
  for (int t = 0; t < sample.length(); ++t) values[t] = scalar(sample, name, t);
  return values;
}
inline std::vector<int> flag_over_time(const clrs::Sample& sample, std::string_view name) {
  std::vector<int> values(sample.length());
  for (int t = 0; t < sample.length(); ++t) values[t] = flag(sample, name, t);
  return values;
}
inline std::vector<int> class_over_time(const clrs::Sample& sample, std::string_view name) {
  std::vector<int> values(sample.length());
  for (int t = 0; t < sample.length(); ++t) values[t] = class_of(sample, name, t);
  return values;
}

}  // namespace npq::test
