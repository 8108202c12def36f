#pragma once
#include <functional>
#include <string>

#include "app/cli.h"
#include "npq/train/options.h"

namespace npq::app {

/// `npq bench train` and `npq bench evaluate`: one model on made-up weights, timed.
struct SpeedCommand {
  train::TrainOptions options;
  bool evaluate = false;
  int nodes = 0;  // 0: the official sizes, 16 to train, 64 to evaluate
  int repeats = 0;
  int threads = 0;
  std::string simd, path = "fused";
  bool json = false;
};

void add_bench_train(Cli& cli, CLI::App* bench, std::function<int(const SpeedCommand&)> action);
void add_bench_evaluate(Cli& cli, CLI::App* bench, std::function<int(const SpeedCommand&)> action);

/// `npq bench kernels`: every kernel beside its twin of plain torch operations.
struct KernelsCommand {
  std::vector<int> sizes;         // nodes
  std::vector<std::string> only;  // kernels; empty: all
  std::int64_t batch = 32;
  int repeats = 5;
  int threads = 0;
  std::string simd;
  bool json = false, quiet = false;
};

void add_bench_kernels(Cli& cli, CLI::App* bench, std::function<int(const KernelsCommand&)> action);

/// `npq check`: the fused path beside the composed one, step by step.
struct CheckCommand {
  std::vector<train::TrainOptions> combinations;  // every algorithm with every processor and memory
  std::int64_t steps = 50;
  int threads = 0;
  std::string simd;
  bool json = false, quiet = false;
};

void add_check(Cli& cli, std::function<int(const CheckCommand&)> action);

}  // namespace npq::app
