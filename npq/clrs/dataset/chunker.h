#pragma once
#include <cstdint>
#include <deque>
#include <functional>
#include <vector>

#include "npq/clrs/dataset/batch.h"

namespace npq::clrs {

/// Pieces of `steps` steps cut from endless lanes of samples put end to end.
struct Chunk {
  std::vector<Array> inputs, hints, outputs;  // all [C, B, ...]
  std::vector<double> is_first, is_last;      // [C, B]
};

class Chunker {
 public:
  Chunker(std::function<Batch()> source, int steps);
  Chunk next();

 private:
  struct Lane {
    std::size_t batch = 0;  // index into batches_
    int step = 0;
  };
  std::int64_t unused_steps(const Lane& lane, std::int64_t b) const;

  std::function<Batch()> source_;
  int steps_;
  std::deque<Batch> batches_;
  std::vector<Lane> lanes_;
};

}  // namespace npq::clrs
