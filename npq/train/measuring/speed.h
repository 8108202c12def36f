#pragma once
#include <cstdint>
#include <functional>
#include <memory>

#include "npq/train/options.h"
#include "npq/train/ranks/ranks.h"

namespace npq::train {

/// Wall: the clock on the wall. Cpu: the time of this process's own threads, which says more on a
/// machine that others use, too, but adds up where several threads work.
enum class Clock { Wall, Cpu };
double seconds_of(Clock clock, const std::function<void()>& work);

/// How long a piece of work takes, beside what it consists of at least.
struct Speed {
  double median_seconds = 0, best_seconds = 0;
  double products_instead = 0;  // the median of seconds * GFLOPS of the products timed before and
                                // after: what the machine could have computed meanwhile, in GFLOP
  double least_flops = 0;  // of the messages' products: 2 units a step, 5 with the backward pass;
                           // a unit is 2 B N N H H
  double steps = 0;        // of the processor, the mean over samples
  std::int64_t nodes = 0;
};

/// The best of many products [8192, 128] x [128, 128] on the threads in use, in GFLOPS: what this
/// machine can do now.
double best_sgemm_gflops(Clock clock = Clock::Wall);
/// The median of twenty such products.
double median_sgemm_gflops(Clock clock = Clock::Wall);

/// Times products between the repeats, in GFLOPS: on a shared machine they meet the same
/// neighbours. Nothing: they are not timed.
using Beside = std::function<double()>;

struct Timing {
  int repeats = 1;
  Beside beside = nullptr;
  Clock clock = Clock::Wall;
};

/// One update, after two that warm up. Training data are the official ones, unless the options name
/// a size. With several ranks, from when all are ready to when this one is done.
Speed time_update(const TrainOptions& options, const Timing& timing,
                  const std::shared_ptr<Ranks>& ranks = std::make_shared<Ranks>());

/// The evaluation of one batch of `nodes` nodes with fresh weights, after a first one of one
/// sample; of so many steps of the processor at most, since later ones cost the same (0: all).
Speed time_evaluation(const TrainOptions& options, int nodes, std::int64_t most_steps,
                      const Timing& timing);

/// Bytes that this process holds now, and the most it ever held.
std::int64_t resident_bytes();
std::int64_t peak_bytes();

}  // namespace npq::train
