// Label threads: these run under the thread sanitizer too.
#include "npq/base/helper.h"

#include <gmock/gmock.h>

#include <stdexcept>

namespace npq {
namespace {

TEST(Helper, DoesOnePieceOfWorkAfterTheOtherOnTheSameThread) {
  Helper helper;
  int calls = 0;  // not atomic: the future says when it may be read
  std::thread::id first, now;
  helper.start([&] { first = std::this_thread::get_id(); }).get();
  for (int k = 0; k < 1000; ++k) {
    helper.start([&] { ++calls, now = std::this_thread::get_id(); }).get();
    ASSERT_EQ(now, first);
  }
  EXPECT_EQ(calls, 1000);
  EXPECT_NE(first, std::this_thread::get_id());
}

TEST(Helper, PassesOnWhatItsWorkThrowsAndStays) {
  Helper helper;
  auto failed = helper.start([] { throw std::runtime_error("no"); });
  EXPECT_THROW(failed.get(), std::runtime_error);
  bool called = false;
  helper.start([&] { called = true; }).get();
  EXPECT_TRUE(called);
}

TEST(Helper, EndsWithoutHavingWorked) {
  for (int k = 0; k < 100; ++k) Helper idle;
}

}  // namespace
}  // namespace npq
