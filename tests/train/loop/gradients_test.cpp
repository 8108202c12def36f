#include "npq/train/loop/gradients.h"

#include <ATen/Parallel.h>
#include <ATen/TensorOperators.h>
#include <gmock/gmock.h>

#include <mutex>
#include <set>

#include "npq/base/error.h"
#include "npq/memory/catalog.h"
#include "npq/model/losses.h"
#include "npq/ops/threads.h"
#include "npq/train/loop/training_data.h"

namespace npq::train {
namespace {

TrainOptions small(const char* algorithm, std::int64_t batch) {
  TrainOptions options;
  options.algorithm = algorithm;
  options.model.hidden = 16;
  options.memory = memory::memory_options("npq_w");
  options.batch = batch;
  options.train_sizes = {6};
  return options;
}

class Gradients : public testing::TestWithParam<const char*> {};

TEST_P(Gradients, OfAllPartsAreThoseOfTheWholeBatch) {
  for (const std::int64_t samples : {1, 2, 5, 65}) {
    const auto options = small(GetParam(), samples);
    const Network network(options);
    TrainingData data(network.task, options);
    const auto batch = data.next();
    const auto loss = compute_gradients(network, batch, 1);
    std::vector<at::Tensor> found;
    for (const auto& entry : network.store) found.push_back(network.store.grad(entry.name).clone());

    network.store.zero_grad();
    const auto expected =
        model::losses(network.task.spec(), network.model.unroll(batch, {.seed = 1}), batch);
    expected.total.backward();
    const double total = expected.total.item<double>();
    // Float32 sums of some hundred terms in another order; the loss is a sum of positive ones.
    EXPECT_NEAR(loss.total, total, 1e-5 * total) << samples;
    EXPECT_EQ(loss.terms.size(), expected.outputs.size() + expected.hints.size());
    for (const auto& [name, term] : expected.hints)
      EXPECT_NEAR(loss.terms.at("hint/" + name), term.item<double>(), 1e-5 * total) << name;
    double apart = 0, length = 0;
    std::size_t k = 0;
    for (const auto& entry : network.store) {
      const auto gradient = network.store.grad(entry.name);
      apart += (gradient - found[k++]).square().sum().item<double>();
      length += gradient.square().sum().item<double>();
    }
    EXPECT_GT(length, 0);
    EXPECT_LT(std::sqrt(apart / length), 1e-4) << samples;
  }
}

TEST_P(Gradients, HaveTheSameBitsOnAnyNumberOfThreads) {
  const auto options = small(GetParam(), 130);  // eight parts, not all of one size
  const Network network(options);
  TrainingData data(network.task, options);
  const auto batch = data.next();
  const int before = ops::kernel_threads();
  std::vector<at::Tensor> expected;
  double total = 0;
  for (const int threads : {1, 2, 3, 8, 16}) {
    ops::set_kernel_threads(threads);
    const auto loss = compute_gradients(network, batch, 1);
    if (threads == 1) total = loss.total;
    EXPECT_EQ(loss.total, total) << threads;
    std::size_t k = 0;
    for (const auto& entry : network.store) {
      const auto gradient = network.store.grad(entry.name);
      if (threads == 1)
        expected.push_back(gradient.clone());
      else
        EXPECT_TRUE(gradient.equal(expected[k++])) << entry.name << " on " << threads;
    }
  }
  ops::set_kernel_threads(before);
}

INSTANTIATE_TEST_SUITE_P(Of, Gradients, testing::Values("dijkstra", "bfs", "heapsort"),
                         [](const auto& test) { return std::string(test.param); });

TEST(SideBySide, DividesTheThreadsAmongTheCalls) {
  const int before = ops::kernel_threads();
  ops::set_kernel_threads(5);
  std::vector<int> threads(2);
  ops::side_by_side(2, [&](std::size_t i) { threads[i] = ops::kernel_threads(); });
  EXPECT_THAT(threads, testing::Each(2));
  EXPECT_EQ(ops::kernel_threads(), 5);
  ops::set_kernel_threads(0);
  at::set_num_threads(4);  // libtorch's own operations, too
  ops::side_by_side(2, [&](std::size_t i) { threads[i] = at::get_num_threads(); });
  EXPECT_THAT(threads, testing::Each(2));
  EXPECT_EQ(at::get_num_threads(), 4);
  ops::set_kernel_threads(1);
  ops::side_by_side(2, [&](std::size_t i) { threads[i] = ops::kernel_threads(); });
  EXPECT_THAT(threads, testing::Each(1));
  ops::set_kernel_threads(before);
}

TEST(SideBySide, CallsEachOnceOnThreadsThatStay) {
  const int before = ops::kernel_threads();
  ops::set_kernel_threads(2);
  std::vector<int> calls(5);
  std::mutex mutex;
  std::set<std::thread::id> threads;
  std::atomic<int> begun{0};
  const auto note = [&](std::size_t i) {
    ++calls[i];
    ++begun;
    while (begun < 2) std::this_thread::yield();  // until both threads have one
    const std::lock_guard lock(mutex);
    threads.insert(std::this_thread::get_id());
  };
  ops::side_by_side(5, note);
  EXPECT_THAT(calls, testing::Each(1));
  begun = 0;
  ops::side_by_side(5, note);
  EXPECT_EQ(threads.size(), 2);
  EXPECT_TRUE(threads.contains(std::this_thread::get_id()));
  ops::side_by_side(0, [&](std::size_t) { ADD_FAILURE() << "there is nothing to call"; });
  ops::set_kernel_threads(before);
}

TEST(SideBySide, GivesTheNextToWhoeverIsDone) {
  const int before = ops::kernel_threads();
  ops::set_kernel_threads(2);
  std::atomic<int> others{0};
  // The first call waits until all others have been made, which only the other thread can do.
  ops::side_by_side(5, [&](std::size_t i) {
    if (i > 0) ++others;
    while (i == 0 && others < 4) std::this_thread::yield();
  });
  EXPECT_EQ(others, 4);
  ops::set_kernel_threads(before);
}

TEST(SideBySide, PassesOnAnErrorOnceAllCallsHaveEnded) {
  const int before = ops::kernel_threads();
  ops::set_kernel_threads(2);
  for (const std::size_t bad : {0, 1}) {
    std::atomic<int> ended{0};
    EXPECT_THROW(ops::side_by_side(2,
                                   [&](std::size_t i) {
                                     if (i == bad) throw Error("no");
                                     std::this_thread::sleep_for(std::chrono::milliseconds(20));
                                     ++ended;
                                   }),
                 Error);
    EXPECT_EQ(ended, 1);
  }
  ops::set_kernel_threads(before);
}

}  // namespace
}  // namespace npq::train
