// Tasks that are nothing but a data structure: push node i, and after some pushes pop. A network
// that solves one has learned the structure itself. Not part of CLRS-30.
#include <functional>

#include "npq/clrs/algorithms/algorithms.h"

namespace npq::clrs {

Spec structure_spec() {
  using namespace spec_words;
  return {
      input("pos", node, scalar),         input("key", node, scalar),
      input("pop_after", node, mask),     output("popped_at", node, pointer),
      hint("popped_at_h", node, pointer), hint("in_queue", node, mask),
      hint("i", node, mask_one),          hint("top", node, mask_one),
  };
}

namespace {

/// Whether node a leaves the structure before node b; a < b, so a was pushed first.
using Before = std::function<bool(int a, int b)>;

/// The node that would be popped next; `fallback` if the structure is empty.
int top_of(const Mask& in_queue, int fallback, const Before& before) {
  int top = -1;
  for (int v = 0; v < static_cast<int>(in_queue.size()); ++v)
    if (in_queue[v] && (top < 0 || !before(top, v))) top = v;
  return top < 0 ? fallback : top;
}

void run_structure(const Operations& in, const Before& before, Trace& trace) {
  const int n = static_cast<int>(in.key.size());
  trace.input({{"pos", positions(n)}, {"key", in.key}, {"pop_after", in.pop_after}});
  Pointers popped_at = identity(n);
  Mask in_queue(n);
  const auto record = [&](int i, int top) {
    trace.hint({{"popped_at_h", popped_at},
                {"in_queue", in_queue},
                {"i", one_hot(i)},
                {"top", one_hot(top)}});
  };
  record(0, 0);
  for (int i = 0; i < n; ++i) {
    in_queue[i] = 1;
    if (in.pop_after[i]) {
      const int top = top_of(in_queue, i, before);
      in_queue[top] = 0;
      popped_at[top] = i;
    }
    record(i, top_of(in_queue, i, before));
  }
  trace.output({{"popped_at", popped_at}});
}

}  // namespace

void priority_queue(const Operations& in,
                    Trace& trace) {  // the largest key, ties to the smaller index
  run_structure(
      in, [&](int a, int b) { return in.key[a] >= in.key[b]; }, trace);
}

void stack(const Operations& in, Trace& trace) {  // the newest
  run_structure(
      in, [](int, int) { return false; }, trace);
}

void queue(const Operations& in, Trace& trace) {  // the oldest
  run_structure(
      in, [](int, int) { return true; }, trace);
}

}  // namespace npq::clrs
