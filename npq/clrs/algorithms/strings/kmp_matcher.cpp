// The Knuth-Morris-Pratt matcher: CLRS, 3rd edition, section 32.4.
#include "npq/clrs/algorithms/algorithms.h"
#include "npq/clrs/algorithms/strings/two_strings.h"

namespace npq::clrs {

Spec kmp_matcher_spec() {
  using namespace spec_words;
  return {
      input("string", node, mask),
      input("pos", node, scalar),
      input("key", node, categorical).of_classes(kCharacters),
      output("match", node, mask_one),
      hint("pred_h", node, pointer).constant_in_time(),
      hint("pi", node, pointer),
      hint("is_reset", node, mask),
      hint("k", node, mask_one),
      hint("k_reset", graph, mask).as_int64(),
      hint("q", node, mask_one),
      hint("q_reset", graph, mask).as_int64(),
      hint("s", node, mask_one),
      hint("i", node, mask_one),
      hint("phase", graph, mask).as_int64(),
  };
}

namespace {

/// How much of the needle matches so far: its nodes 0..last, or none of them (the book's k = 0 and
/// q = 0). A hint must point to some node, so "none" shows node 0 and a flag.
struct Prefix {
  int last = 0;
  bool none = true;

  int next() const { return none ? 0 : last + 1; }
  void grow() { *this = {next(), false}; }
};

}  // namespace

void kmp_matcher(const Strings& in, Trace& trace) {
  const auto& T = in.first;
  const auto& P = in.second;
  const int n = static_cast<int>(T.size()), m = static_cast<int>(P.size());
  show_strings(in, trace);

  const Pointers pred = constant_chain(n, m);
  // The prefix function: needle node n + q points to the last node of the longest border of the
  // needle up to q, unless there is none and the match starts afresh.
  Pointers pi = identity(n + m);
  Mask is_reset(n + m);
  is_reset[n] = 1;
  const auto fall_back = [&](const Prefix& prefix) {
    return is_reset[n + prefix.last] ? Prefix{} : Prefix{pi[n + prefix.last] - n, false};
  };

  Prefix k, q;
  int s = 0;
  const auto record = [&](int q_node, int i, int phase) {
    trace.hint({{"pred_h", pred},
                {"pi", pi},
                {"is_reset", is_reset},
                {"k", one_hot(n + k.last)},
                {"k_reset", k.none},
                {"q", one_hot(n + q_node)},
                {"q_reset", q.none},
                {"s", one_hot(s)},
                {"i", one_hot(i)},
                {"phase", phase}});
  };
  record(m > 1 ? 1 : 0, 0, 0);

  for (int j = 1; j < m; ++j) {  // COMPUTE-PREFIX-FUNCTION, line 5, where j is called q
    while (!k.none && P[k.next()] != P[j]) {  // lines 6-7
      k = fall_back(k);
      record(j, 0, 0);
    }
    if (P[k.next()] == P[j]) k.grow();  // lines 8-9
    if (k.none) is_reset[n + j] = 1;    // line 10
    pi[n + j] = static_cast<std::uint16_t>(n + k.last);
    record(j, 0, 0);
  }

  int match = n;                 // no match points to the needle
  for (int i = 0; i < n; ++i) {  // KMP-MATCHER, line 5
    if (i >= m) ++s;
    record(q.last, i, 1);
    while (!q.none && P[q.next()] != T[i]) {  // lines 6-7
      q = fall_back(q);
      record(q.last, i, 1);
    }
    if (P[q.next()] != T[i]) continue;  // line 8
    q.grow();                           // line 9
    if (q.last == m - 1) {              // lines 10-11
      match = s;
      break;
    }
  }
  trace.output({{"match", one_hot(match)}});
}

}  // namespace npq::clrs
