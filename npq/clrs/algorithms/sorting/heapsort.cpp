// Heapsort: CLRS, 3rd edition, sections 6.2 to 6.4.
#include "npq/clrs/algorithms/algorithms.h"
#include "npq/clrs/algorithms/sorting/sortable.h"

namespace npq::clrs {

Spec heapsort_spec() {
  using namespace spec_words;
  return {
      input("pos", node, scalar),
      input("key", node, scalar),
      output("pred", node, should_be_permutation),
      hint("pred_h", node, pointer),
      hint("parent", node, pointer),
      hint("i", node, mask_one),
      hint("j", node, mask_one),
      hint("largest", node, mask_one),
      hint("heap_size", node, mask_one),
      hint("phase", graph, categorical).of_classes(3),
  };
}

namespace {

constexpr Class kBuild{0}, kExtract{1}, kRepair{2};  // the phases

class Heap {
 public:
  Heap(const Scalars& key, Trace& trace)
      : array_(key), size_(array_.size()), parent_(key.size()), trace_(trace) {}

  const Pointers& pred() const { return array_.pred; }

  void build() {
    const auto last = one_hot(size_ - 1);
    record(last, last, last, kBuild);
    for (int i = size_ - 1; i >= 0; --i)
      sift_down(i, i, kBuild);  // leaves too: the benchmark shows them
  }

  /// Lines 3-5 of HEAPSORT: the largest key goes to slot i, behind a heap that is one smaller.
  void extract_max(int i) {
    array_.swap(0, i);
    --size_;
    record(array_.at(0), array_.at(i), one_hot(0), kExtract);
    sift_down(0, i, kRepair);
  }

 private:
  /// MAX-HEAPIFY; `i` is the slot that the loop outside has come to.
  void sift_down(int slot, int i, Class phase) {
    const auto& A = array_.A;
    const int left = 2 * slot + 1, right = 2 * slot + 2;
    int largest = slot;
    if (left < size_ && A[left] > A[slot]) largest = left;
    if (right < size_ && A[right] > A[largest]) largest = right;
    array_.swap(slot, largest);
    record(array_.at(i), array_.at(slot), array_.at(largest), phase);
    if (largest != slot) sift_down(largest, i, phase);
  }

  void record(OneHot i, OneHot j, OneHot largest, Class phase) {
    point_to_parents();
    trace_.hint({{"pred_h", array_.pred},
                 {"parent", parent_},
                 {"i", i},
                 {"j", j},
                 {"largest", largest},
                 {"heap_size", array_.at(size_ - 1)},
                 {"phase", phase}});
  }

  /// The root points to itself, and so does each node that has left the heap.
  void point_to_parents() {
    const auto& ord = array_.ord;
    parent_[ord[0]] = ord[0];
    for (int slot = 1; slot < size_; ++slot) parent_[ord[slot]] = ord[(slot - 1) / 2];
    for (int slot = size_; slot < array_.size(); ++slot) parent_[ord[slot]] = ord[slot];
  }

  Sortable array_;
  int size_;
  Pointers parent_;
  Trace& trace_;
};

}  // namespace

void heapsort(const Keys& in, Trace& trace) {
  const int n = static_cast<int>(in.key.size());
  trace.input({{"pos", positions(n)}, {"key", in.key}});

  Heap heap(in.key, trace);
  heap.build();                                         // line 1
  for (int i = n - 1; i > 0; --i) heap.extract_max(i);  // lines 2-5
  trace.output({{"pred", heap.pred()}});
}

}  // namespace npq::clrs
