#pragma once
#include <string>
#include <vector>

#include "app/cli.h"
#include "app/engine/ranks.h"
#include "npq/train/options.h"

namespace npq::app {

/// `npq bench train` and `npq bench evaluate`: one model on made-up weights, timed.
struct SpeedCommand {
  train::TrainOptions options;
  bool evaluate = false;
  int nodes = 0;           // 0: the official sizes, 16 to train, 64 to evaluate
  std::int64_t steps = 0;  // to evaluate, at most; 0: all
  int repeats = 0;
  RankOptions ranks;  // to train
  int threads = 0;
  std::string simd, path = "fused";
  bool cpu_time = false, json = false;
  std::vector<int> cores;  // to train: what so many of them would gain, computed
};

void add_bench_train(Cli& cli);
void add_bench_evaluate(Cli& cli);

/// `npq bench processor`: one round of messages of one sparse graph, without encoders and decoders.
struct ProcessorCommand {
  nn::ProcessorOptions processor{.name = "pgn"};
  std::int64_t nodes = 4096, hidden = 128;
  double degree = 8;  // the mean
  int repeats = 5;
  int threads = 0;
  std::string simd, path = "fused";
  bool cpu_time = false, json = false;
};

void add_bench_processor(Cli& cli);

/// `npq bench kernels`: every kernel where a network calls it, by the fused and the composed path.
struct KernelsCommand {
  std::vector<int> sizes;         // nodes
  std::vector<std::string> only;  // kernels; empty: all
  std::int64_t batch = 32;
  int repeats = 5;
  int threads = 0;
  std::string simd;
  bool json = false, quiet = false;
};

void add_bench_kernels(Cli& cli);

/// `npq check`: the fused path beside the composed one, step by step.
struct CheckCommand {
  std::vector<train::TrainOptions> combinations;  // every algorithm with every processor and memory
  std::int64_t steps = 50;
  int threads = 0;
  std::string simd;
  bool json = false, quiet = false;
};

void add_check(Cli& cli);

}  // namespace npq::app
