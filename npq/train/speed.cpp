#include "npq/train/speed.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/full.h>
#include <ATen/ops/mm.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <functional>
#include <vector>

#include "npq/train/learner.h"

namespace npq::train {
namespace {

double seconds_of(const std::function<void()>& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const auto middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

/// The steps of the processor that a sample needs.
double steps_of(std::int64_t length) {
  return static_cast<double>(std::max<std::int64_t>(1, length - 1));
}

/// One product with an H x H matrix for every pair of nodes, in every step of every sample.
double unit_flops(double steps, double batch, double nodes, double hidden) {
  return 2 * steps * batch * nodes * nodes * hidden * hidden;
}
constexpr double kForwardUnits = 2, kUpdateUnits = 5;

}  // namespace

double best_sgemm_gflops() {
  constexpr std::int64_t kRows = 8192, kWidth = 128;
  const at::NoGradGuard no_grad;
  const auto a = at::full({kRows, kWidth}, 0.5f), b = at::full({kWidth, kWidth}, 0.25f);
  auto c = at::empty({kRows, kWidth});
  double best = 1e300;
  for (int k = 0; k < 200; ++k) best = std::min(best, seconds_of([&] { at::mm_out(c, a, b); }));
  return 2.0 * kRows * kWidth * kWidth / best * 1e-9;
}

Speed time_update(const TrainOptions& options, int repeats) {
  constexpr int kWarmUp = 2;
  Speed speed;
  std::vector<double> seconds;
  Learner learner(options);
  TrainingData same(learner.network().task, options);
  for (int k = 0; k < kWarmUp + repeats; ++k) {
    const auto batch = same.next();
    const double elapsed = seconds_of([&] { learner.update(); });
    if (k < kWarmUp) continue;
    seconds.push_back(elapsed);
    for (const auto length : batch.lengths)
      speed.steps += steps_of(length) / static_cast<double>(batch.size() * repeats);
    speed.nodes = batch.nodes();
  }
  speed.median_seconds = median(seconds);
  speed.best_seconds = *std::min_element(seconds.begin(), seconds.end());
  speed.least_flops = kUpdateUnits * unit_flops(speed.steps, static_cast<double>(options.batch),
                                                static_cast<double>(speed.nodes),
                                                static_cast<double>(options.model.hidden));
  return speed;
}

Speed time_evaluation(const TrainOptions& options, int nodes, int repeats) {
  const Network network(options);
  auto set = network.task.test_set(nodes);
  set.samples = options.batch;
  const auto data = clrs::generate(network.task.algorithm(), set);
  const std::span<const clrs::Sample> samples(data.samples);
  const auto evaluate = [&](std::size_t count) {
    predict(network, samples.first(count), options.batch, /*keep=*/false);
  };
  evaluate(1);
  std::vector<double> seconds;
  for (int k = 0; k < repeats; ++k)
    seconds.push_back(seconds_of([&] { evaluate(samples.size()); }));
  Speed speed{.median_seconds = median(seconds),
              .best_seconds = *std::min_element(seconds.begin(), seconds.end())};
  const double batch = static_cast<double>(samples.size());
  for (const auto& sample : samples) speed.steps += steps_of(sample.length()) / batch;
  speed.nodes = network.task.algorithm().nodes(nodes);
  speed.least_flops =
      kForwardUnits * unit_flops(speed.steps, batch, static_cast<double>(speed.nodes),
                                 static_cast<double>(options.model.hidden));
  return speed;
}

std::int64_t resident_bytes() {
  std::ifstream file("/proc/self/statm");
  std::int64_t whole = 0, resident = 0;
  file >> whole >> resident;
  return resident * sysconf(_SC_PAGESIZE);
}

std::int64_t peak_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::int64_t>(usage.ru_maxrss) * 1024;
}

}  // namespace npq::train
