#include <algorithm>

#include "npq/base/error.h"
#include "npq/clrs/samplers/common.h"

namespace npq::clrs {
namespace {

std::vector<std::uint8_t> draw_string(random::RandomState& random, int length, int chars) {
  std::vector<std::uint8_t> text(static_cast<std::size_t>(length));
  for (auto& character : text) character = static_cast<std::uint8_t>(random.randint(0, chars));
  return text;
}

/// The haystack must be longer than the needle, or there is no place to plant it. For
/// needles of random length the longest counts, so that a length works for all seeds or for none.
int draw_needle_length(random::RandomState& random, int length, const SamplerOptions& options) {
  const int asked = options.length_needle.value_or(std::max(1, length / 5));
  const std::int64_t longest = std::abs(std::int64_t{asked});
  if (length - longest <= longest) {
    throw UsageError(
        "length is {}, but it holds a needle of up to {} and a longer haystack; give "
        "{} or more, or a shorter length_needle",
        length, longest, 2 * longest + 1);
  }
  return asked > 0 ? asked : static_cast<int>(random.randint(1, 1 + longest));
}

}  // namespace

Inputs sample_lcs_strings(random::RandomState& random, int length, const SamplerOptions& options) {
  check(options, length, 2, "it is shared by two strings");
  const int second = options.length_2.value_or(length / 2);
  if (second >= length) {
    throw UsageError(
        "length_2 is {} of a total length of {}; the first string needs a character; "
        "give a smaller length_2 or a length of {} or more",
        second, length, std::int64_t{second} + 1);
  }
  Strings strings;
  strings.first = draw_string(random, length - second, options.chars);
  strings.second = draw_string(random, second, options.chars);
  return strings;
}

Inputs sample_match_strings(random::RandomState& random, int length,
                            const SamplerOptions& options) {
  check(options, length, 3, "it holds a needle and a longer haystack");
  const int m = draw_needle_length(random, length, options);
  const int h = length - m;
  Strings strings;
  auto& [haystack, needle] = strings;
  needle = draw_string(random, m, options.chars);
  haystack = draw_string(random, h, options.chars);
  // The last possible place is never chosen, in the benchmark too.
  std::copy(needle.begin(), needle.end(), haystack.begin() + random.choice(h - m));
  return strings;
}

}  // namespace npq::clrs
