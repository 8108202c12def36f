#include "npq/kernels/gradient_sums.h"

#include <algorithm>

namespace npq::kernels {

GraphJobs::GraphJobs(int batch, int nodes)
    : tiles(std::clamp(kMostGradientJobs / std::max(1, batch), 1, std::max(1, nodes))),
      jobs(std::clamp(batch * tiles, 1, kMostGradientJobs)),
      batch(batch),
      nodes(nodes) {}

void JobSums::clear(int job) const { std::fill_n(of(job), floats_, 0.0f); }

const float* JobSums::add_up() const {
  for (int job = 1; job < jobs_; ++job) {
    const float* more = of(job);
    for (std::size_t i = 0; i < floats_; ++i) memory_[i] += more[i];
  }
  return memory_;
}

float* TileSums::of(int graph, int tile) const {
  return memory_ + (static_cast<std::size_t>(graph) * jobs_.tiles + tile) * graph_floats();
}

void TileSums::clear(int graph, int tile) const {
  std::fill_n(of(graph, tile), graph_floats(), 0.0f);
}

void TileSums::add_up(int width, float* out) const {
  for (int b = 0; b < jobs_.batch; ++b) {
    float* sum = of(b, 0);
    for (int t = 1; t < jobs_.tiles; ++t) {
      const float* more = of(b, t);
      for (std::size_t i = 0; i < graph_floats(); ++i) sum[i] += more[i];
    }
    unpad_rows(sum, jobs_.nodes, width, padded_,
               out + static_cast<std::size_t>(b) * jobs_.nodes * width);
  }
}

}  // namespace npq::kernels
