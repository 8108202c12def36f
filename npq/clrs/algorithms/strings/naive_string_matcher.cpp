// String matching by trying every shift: CLRS, 3rd edition, section 32.1, comparing character by
// character.
#include "npq/clrs/algorithms/algorithms.h"
#include "npq/clrs/algorithms/strings/two_strings.h"

namespace npq::clrs {

Spec naive_string_matcher_spec() {
  using namespace spec_words;
  return {
      input("string", node, mask),
      input("pos", node, scalar),
      input("key", node, categorical).of_classes(kCharacters),
      output("match", node, mask_one),
      hint("pred_h", node, pointer).constant_in_time(),
      hint("s", node, mask_one),
      hint("i", node, mask_one),
      hint("j", node, mask_one),
  };
}

void naive_string_matcher(const Strings& in, Trace& trace) {
  const auto& [T, P] = in;
  const int n = static_cast<int>(T.size()), m = static_cast<int>(P.size());
  show_strings(in, trace);

  const Pointers pred = constant_chain(n, m);
  int match = n;                                    // no match points to the needle
  for (int s = 0; s <= n - m && match == n; ++s) {  // line 3
    for (int j = 0; j < m; ++j) {                   // line 4
      trace.hint(
          {{"pred_h", pred}, {"s", one_hot(s)}, {"i", one_hot(s + j)}, {"j", one_hot(n + j)}});
      if (T[s + j] != P[j]) break;
      if (j == m - 1) match = s;  // line 5
    }
  }
  trace.output({{"match", one_hot(match)}});
}

}  // namespace npq::clrs
