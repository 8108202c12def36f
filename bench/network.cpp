// Whole training steps and evaluations against the bound that float32 products of this machine set:
//   network_bench train    [--processor mpnn] [--memory none] [--path fused] [--updates 5]
//   network_bench evaluate [--processor mpnn] [--memory none] [--path fused] [--nodes 256]
//                          [--batch 32] [--steps 8]
//   network_bench processor [--processor pgn] [--nodes 4096] [--degree 8]
// On a busy machine: --threads 1 --cpu-time.
// One unit is 2 B N N H H flops, a product of all messages of a step with an H x H matrix. Training
// takes 5 units a step, evaluation 2, and nothing computes them faster than the best sgemm.
#include <ATen/Context.h>
#include <ATen/core/grad_mode.h>
#include <ATen/ops/eye.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/rand.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/zeros.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <time.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fstream>
#include <functional>

#include "npq/base/simd.h"
#include "npq/memory/catalog.h"
#include "npq/ops/path.h"
#include "npq/ops/threads.h"
#include "npq/train/learner.h"

namespace npq::bench {
namespace {

/// On a machine that others use too, the time of our own CPUs says more than the clock on the wall.
bool by_cpu_time = false;

double now() {
  timespec time{};
  clock_gettime(by_cpu_time ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

double seconds_of(const std::function<void()>& body) {
  const double begin = now();
  body();
  return now() - begin;
}

/// GFLOPS of [8192,128] x [128,128], the best of many: others may use the machine too.
double best_sgemm() {
  const auto a = at::randn({8192, 128}), b = at::randn({128, 128});
  double best = 1e9;
  for (int k = 0; k < 200; ++k) best = std::min(best, seconds_of([&] { at::mm(a, b); }));
  return 2.0 * 8192 * 128 * 128 / best * 1e-9;
}

struct Options {
  std::string algorithm = "dijkstra", processor = "mpnn", memory = "none", path = "fused";
  int nodes = 256, threads = 2;
  double degree = 8;
  std::int64_t batch = 32, steps = 8, updates = 5, hidden = 128;

  train::TrainOptions training() const {
    train::TrainOptions options;
    options.algorithm = algorithm;
    options.model.processor.name = processor;
    options.model.hidden = hidden;
    options.memory = memory::memory_options(memory);
    options.batch = batch;
    return options;
  }
  /// Seconds that so many units take at best.
  double bound(double units, double gflops) const {
    const double pairs = static_cast<double>(batch) * nodes * nodes;
    return units * 2 * pairs * static_cast<double>(hidden * hidden) / (gflops * 1e9);
  }
};

std::int64_t resident_bytes() {
  std::ifstream file("/proc/self/statm");
  std::int64_t size = 0, resident = 0;
  file >> size >> resident;
  return resident * 4096;
}

std::int64_t peak_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::int64_t>(usage.ru_maxrss) * 1024;
}

void report(const Options& o, double seconds, double steps, double units, double before,
            std::int64_t idle) {
  const double gflops = std::max(before, best_sgemm());
  const double bound = o.bound(units * steps, gflops);
  fmt::print(
      "{} {} N {} B {} {}: {:.2f} ms, {:.1f} steps, bound {:.2f} ms ({:.0f} GFLOPS): {:.2f} x; "
      "{:.0f} MB above idle\n",
      o.processor, o.memory, o.nodes, o.batch, o.path, 1e3 * seconds, steps, 1e3 * bound, gflops,
      seconds / bound, static_cast<double>(peak_bytes() - idle) * 1e-6);
}

/// The best of several updates, each with as many steps as its batch has.
void time_training(Options o) {
  o.nodes = 16;
  train::Learner learner(o.training());
  train::TrainingData same(learner.network().task, o.training());
  const auto idle = resident_bytes();
  const double before = best_sgemm();
  double best = 1e9, steps = 0;
  for (std::int64_t k = 0; k <= o.updates; ++k) {
    const double longest = static_cast<double>(same.next().longest() - 1);
    const double seconds = seconds_of([&] { learner.update(); });
    if (k == 0 || seconds / longest >= best) continue;
    best = seconds / longest;
    steps = longest;
  }
  report(o, best * steps, steps, 5, before, idle);
}

/// The first steps of graphs of any size: the later ones cost the same.
void time_evaluation(const Options& o) {
  const train::Network network(o.training());
  const auto before = best_sgemm();
  const auto idle = resident_bytes();
  const auto data =
      clrs::generate(network.task.algorithm(),
                     {.seed = 1, .length = o.nodes, .samples = static_cast<int>(o.batch)});
  std::vector<const clrs::Sample*> samples;
  for (const auto& sample : data.samples) samples.push_back(&sample);
  auto batch = network.task.batch(samples);
  for (auto& length : batch.lengths) length = std::min(length, o.steps + 1);
  double best = 1e9;
  for (int k = 0; k < 2; ++k)
    best = std::min(best, seconds_of([&] { model::evaluate(network.model, batch); }));
  report(o, best, static_cast<double>(batch.longest() - 1), 2, before, idle);
}

/// One round of messages of one sparse graph, without encoders and decoders.
void time_processor(const Options& o) {
  const auto N = o.nodes;
  const nn::ProcessorOptions options{.name = o.processor};
  const auto store = initialise(nn::processor_parameters(options, o.hidden), 1, at::kFloat);
  const auto processor = nn::make_processor(options, store);
  at::manual_seed(1);
  const auto drawn = at::rand({1, N, N}).lt(0.5 * o.degree / N);
  const auto self = at::eye(N, at::kBool);
  const nn::Features features{
      .node = {at::randn({1, N, o.hidden})},
      .edge = {at::randn({1, N, N, 1}), at::randn({1, o.hidden}), at::zeros({o.hidden})},
      .graph = at::zeros({1, o.hidden}),
      .adjacency = drawn.logical_or(drawn.transpose(1, 2)).logical_or(self)};
  const auto hidden = at::randn({1, N, o.hidden});
  const at::NoGradGuard no_grad;
  double best = 1e9;
  for (int k = 0; k < 5; ++k)
    best = std::min(best, seconds_of([&] { processor->process(features, hidden); }));
  fmt::print("{} N {} mean degree {:.1f}: {:.2f} ms\n", o.processor, N,
             features.adjacency.sum().item<double>() / N - 1, 1e3 * best);
}

int run(int argc, char** argv) {
  Options o;
  CLI::App app;
  app.require_subcommand(1);
  auto* train = app.add_subcommand("train");
  auto* evaluate = app.add_subcommand("evaluate");
  auto* processor = app.add_subcommand("processor");
  for (auto* command : {train, evaluate, processor}) {
    command->add_option("--algorithm", o.algorithm);
    command->add_option("--processor", o.processor);
    command->add_option("--memory", o.memory);
    command->add_option("--path", o.path);
    command->add_option("--threads", o.threads);
    command->add_flag("--cpu-time", by_cpu_time, "with --threads 1: not the time others take");
    command->add_option("--batch", o.batch);
    command->add_option("--hidden", o.hidden);
  }
  train->add_option("--updates", o.updates);
  evaluate->add_option("--nodes", o.nodes);
  processor->add_option("--nodes", o.nodes);
  processor->add_option("--degree", o.degree);
  evaluate->add_option("--steps", o.steps);
  CLI11_PARSE(app, argc, argv);
  ops::set_kernel_threads(o.threads);
  const ops::ScopedPath path(o.path == "composed" ? ops::Path::Composed : ops::Path::Fused);
  if (*train) time_training(o);
  if (*evaluate) time_evaluation(o);
  if (*processor) time_processor(o);
  return 0;
}

}  // namespace
}  // namespace npq::bench

int main(int argc, char** argv) { return npq::bench::run(argc, argv); }
