#pragma once
#include "npq/clrs/samplers/inputs.h"
#include "npq/clrs/trace/trace.h"

namespace npq::clrs {

inline constexpr int kCharacters = 4;

/// The inputs of string matching: the haystack on the first nodes, the needle on those behind it.
inline void show_strings(const Strings& in, Trace& trace) {
  const auto& [haystack, needle] = in;
  const int h = static_cast<int>(haystack.size()), m = static_cast<int>(needle.size());
  Mask string(h, 0);
  string.resize(h + m, 1);
  Classes key = haystack;
  key.insert(key.end(), needle.begin(), needle.end());
  trace.input({{"string", string}, {"pos", positions(h, m)}, {"key", key}});
}

}  // namespace npq::clrs
