#include "npq/train/measuring/speed.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/full.h>
#include <ATen/ops/mm.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <vector>

#include "npq/model/evaluation.h"
#include "npq/train/loop/algorithm_subject.h"
#include "npq/train/loop/learner.h"

namespace npq::train {
namespace {

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

constexpr std::int64_t kRows = 8192, kWidth = 128;  // of the product that is the measure

/// Seconds of so many products, one by one.
std::vector<double> product_seconds(Clock clock, int count) {
  const at::NoGradGuard no_grad;
  const auto a = at::full({kRows, kWidth}, 0.5f), b = at::full({kWidth, kWidth}, 0.25f);
  auto c = at::empty({kRows, kWidth});
  std::vector<double> seconds;
  for (int k = 0; k < count; ++k)
    seconds.push_back(seconds_of(clock, [&] { at::mm_out(c, a, b); }));
  return seconds;
}

double product_gflops(double seconds) { return 2.0 * kRows * kWidth * kWidth / seconds * 1e-9; }

/// The times of repeated work, and the products' speed around each.
class Repeats {
 public:
  explicit Repeats(const Timing& timing) : timing_(timing), before_(products()) {}

  void time(const std::function<void()>& work) {
    seconds_.push_back(seconds_of(timing_.clock, work));
    const double after = products();
    products_.push_back(seconds_.back() * (before_ + after) / 2);
    before_ = after;
  }

  Speed speed() const {
    return {.median_seconds = median(seconds_),
            .best_seconds = *std::min_element(seconds_.begin(), seconds_.end()),
            .products_instead = median(products_)};
  }

 private:
  double products() const { return timing_.beside ? timing_.beside() : 0; }

  const Timing& timing_;
  double before_;
  std::vector<double> seconds_, products_;
};

}  // namespace

double seconds_of(Clock clock, const std::function<void()>& work) {
  const auto now = [id = clock == Clock::Cpu ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC] {
    timespec time{};
    clock_gettime(id, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
  };
  const double begin = now();
  work();
  return now() - begin;
}

double best_sgemm_gflops(Clock clock) {
  const auto seconds = product_seconds(clock, 200);
  return product_gflops(*std::min_element(seconds.begin(), seconds.end()));
}

double median_sgemm_gflops(Clock clock) {
  return product_gflops(median(product_seconds(clock, 20)));
}

Speed time_update(const TrainOptions& options, const Timing& timing,
                  const std::shared_ptr<Ranks>& ranks) {
  constexpr int kWarmUp = 2;
  double steps = 0;
  std::int64_t nodes = 0;
  AlgorithmSubject subject(options, ranks);
  Learner learner(subject);
  TrainingData same(subject.network().task, options);
  for (int k = 0; k < kWarmUp; ++k) {
    same.next();
    learner.update();
  }
  Repeats timed(timing);
  for (int k = 0; k < timing.repeats; ++k) {
    const auto batch = same.next();
    ranks->gather("");
    timed.time([&] { learner.update(); });
    for (const auto length : batch.lengths)
      steps += steps_of(length) / static_cast<double>(batch.size() * timing.repeats);
    nodes = batch.nodes();
  }
  auto speed = timed.speed();
  speed.steps = steps, speed.nodes = nodes;
  speed.least_flops = kUpdateUnits * unit_flops(speed.steps, static_cast<double>(options.batch),
                                                static_cast<double>(speed.nodes),
                                                static_cast<double>(options.model.hidden));
  return speed;
}

Speed time_evaluation(const TrainOptions& options, int nodes, std::int64_t most_steps,
                      const Timing& timing) {
  const Network network(options);
  auto set = network.task.test_set(nodes);
  set.samples = options.batch;
  const auto data = clrs::generate(network.task.algorithm(), set);
  const std::span<const clrs::Sample> samples(data.samples);
  const auto counted = [most_steps](std::int64_t length) {
    return most_steps > 0 ? std::min(length, most_steps + 1) : length;
  };
  const auto evaluate = [&](std::size_t count) {
    std::vector<const clrs::Sample*> first;
    for (std::size_t k = 0; k < count; ++k) first.push_back(&samples[k]);
    auto batch = network.task.batch(first, most_steps > 0 ? Task::Hints::All : Task::Hints::First);
    for (auto& length : batch.lengths) length = counted(length);
    model::evaluate(network.model, batch);
  };
  evaluate(1);
  Repeats timed(timing);
  for (int k = 0; k < timing.repeats; ++k) timed.time([&] { evaluate(samples.size()); });
  auto speed = timed.speed();
  const double batch = static_cast<double>(samples.size());
  for (const auto& sample : samples) speed.steps += steps_of(counted(sample.length())) / batch;
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
