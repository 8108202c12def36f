// Label threads: these run under the thread sanitizer too.
#include <gmock/gmock.h>

#include <atomic>
#include <stdexcept>
#include <vector>

#include "npq/base/parallel.h"

namespace npq {
namespace {

TEST(ParallelFor, CallsEveryIndexExactlyOnceWhateverTheNumberOfThreads) {
  for (const int threads : {1, 2, 3, 8, 0}) {
    std::vector<int> calls(1000);  // each index has its own place: a second call would be a race
    parallel_for(threads, calls.size(), [&](std::size_t i) { ++calls[i]; });
    EXPECT_THAT(calls, testing::Each(1)) << threads << " threads";
  }
}

TEST(ParallelFor, CallsNothingForACountOfZero) {
  parallel_for(4, 0, [](std::size_t) { FAIL() << "there is nothing to call"; });
}

TEST(ParallelFor, RethrowsAFailureAndStopsEarly) {
  std::atomic<int> calls = 0;
  const auto body = [&](std::size_t i) {
    ++calls;
    if (i == 10) throw std::runtime_error("index 10");
  };
  EXPECT_THROW(parallel_for(1, 1000000, body), std::runtime_error);
  EXPECT_EQ(calls, 11);  // one thread goes in order: 0 to 10
  calls = 0;
  EXPECT_THROW(parallel_for(4, 1000000, body), std::runtime_error);
  EXPECT_LT(calls, 1000000);
}

TEST(ParallelFor, WorksInsideItself) {
  std::atomic<int> calls = 0;
  parallel_for(3, 5, [&](std::size_t) { parallel_for(2, 7, [&](std::size_t) { ++calls; }); });
  EXPECT_EQ(calls, 35);
}

}  // namespace
}  // namespace npq
