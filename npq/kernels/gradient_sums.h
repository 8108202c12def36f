#pragma once
#include "npq/kernels/jobs.h"
#include "npq/kernels/padding.h"

// How gradients that many jobs add to are collected: each job has its own copy, and copies are
// added in a fixed order.
namespace npq::kernels {

/// The partition of B graphs of N nodes: a few large graphs are cut into tiles of nodes, many small
/// ones are not; several tiles may make a job.
struct GraphJobs {
  GraphJobs(int batch, int nodes);
  int tiles, jobs;  // tiles per graph; jobs in all

  /// Calls body(job, graph, tile, nodes of the tile) for all tiles; those of a job one after
  /// another.
  template <class Start, class Body>
  void run(int threads, const Start& start, const Body& body) const {
    run_jobs(threads, jobs, [&](int job) {
      start(job);
      const Range mine = part(batch * tiles, jobs, job);
      for (int unit = mine.first; unit < mine.last; ++unit)
        body(job, unit / tiles, unit % tiles, part(nodes, tiles, unit % tiles));
    });
  }

  int batch, nodes;
};

/// Gradients of weights: one copy of `floats` numbers per job.
class JobSums {
 public:
  JobSums(Arena& arena, int jobs, std::size_t floats)
      : memory_(arena.take(jobs * floats)), jobs_(jobs), floats_(floats) {}
  float* of(int job) const { return memory_ + job * floats_; }
  void clear(int job) const;
  /// The sum of all copies, in the first one.
  const float* add_up() const;

 private:
  float* memory_;
  int jobs_;
  std::size_t floats_;
};

/// Gradients of rows [B, N, P] that every tile of a graph adds to: one copy per tile.
class TileSums {
 public:
  TileSums(Arena& arena, const GraphJobs& jobs, int padded)
      : memory_(
            arena.take(static_cast<std::size_t>(jobs.batch) * jobs.tiles * jobs.nodes * padded)),
        jobs_(jobs),
        padded_(padded) {}
  float* of(int graph, int tile) const;
  void clear(int graph, int tile) const;
  /// Writes [B, N, width].
  void add_up(int width, float* out) const;

 private:
  std::size_t graph_floats() const { return static_cast<std::size_t>(jobs_.nodes) * padded_; }
  float* memory_;
  GraphJobs jobs_;
  int padded_;
};

}  // namespace npq::kernels
