// What is free, on machines made up of files, and what is said when it is not enough.
#include "npq/base/resources.h"

#include <gmock/gmock.h>

#include "npq/base/parallel.h"
#include "tests/support/error_text.h"
#include "tests/support/temporary_folder.h"

namespace npq {
namespace {

using npq::test::error_text;
using npq::test::put_file;
using npq::test::TemporaryFolder;
using ::testing::AllOf;
using ::testing::HasSubstr;

/// A machine with 8 MB available, in the group /jobs/mine.
class Machine : public ::testing::Test {
 protected:
  void SetUp() override {
    put("proc/meminfo", "MemTotal:    99999 kB\nMemAvailable:    8000 kB\n");
    put("proc/self/cgroup", "0::/jobs/mine\n");
  }
  void put(const std::string& path, const std::string& content) {
    std::filesystem::create_directories((root_ / path).parent_path());
    put_file(root_ / path, content);
  }
  TemporaryFolder root_;
};

TEST_F(Machine, HasWhatTheSystemCallsAvailable) {
  EXPECT_EQ(free_memory(root_.path()), 8000.0 * 1024);
  EXPECT_EQ(free_memory(root_ / "nowhere"), std::nullopt);
}

TEST_F(Machine, OrWhatIsLeftToTheTightestGroupWithoutItsCache) {
  put("sys/fs/cgroup/jobs/mine/memory.max", "max\n");
  EXPECT_EQ(free_memory(root_.path()), 8000.0 * 1024);
  put("sys/fs/cgroup/jobs/memory.max", "5000000\n");
  put("sys/fs/cgroup/jobs/memory.stat", "file 4000000\nanon 1000000\n");
  EXPECT_EQ(free_memory(root_.path()), 4e6);
  put("sys/fs/cgroup/jobs/mine/memory.max", "500\n");
  put("sys/fs/cgroup/jobs/mine/memory.stat", "anon 600\n");
  EXPECT_EQ(free_memory(root_.path()), 0.0);
}

TEST_F(Machine, WithGroupsOfTheOldKind) {
  put("proc/self/cgroup", "9:cpu,memory:/job\n4:pids:/other\n");
  put("sys/fs/cgroup/memory/job/memory.limit_in_bytes", "3000000\n");
  put("sys/fs/cgroup/memory/job/memory.stat", "rss 1\ntotal_rss 2000000\n");
  EXPECT_EQ(free_memory(root_.path()), 1e6);
}

TEST(Resources, WhatIsAskedForAndWhatIsFreeAreBothSaid) {
  EXPECT_THAT(error_text([] { check_memory(2e15, "training", "a smaller --batch"); }),
              ::testing::EndsWith("are free; ask for less (a smaller --batch)"));
  offer_force();
  EXPECT_THAT(error_text([] { check_memory(2e15, "training", "a smaller --batch"); }),
              AllOf(HasSubstr("training needs at least 2 PB of memory, but "),
                    HasSubstr("B are free; ask for less (a smaller --batch) or add --force")));
  const TemporaryFolder folder;
  EXPECT_THAT(error_text([&] { check_disk(2e18, folder / "a/b", "a file", "fewer --samples"); }),
              AllOf(HasSubstr("a file in '"), HasSubstr("of disk, but ")));
  EXPECT_NO_THROW(check_memory(1e6, "", ""));
  EXPECT_EQ(free_disk("/proc/here"), std::nullopt);
  EXPECT_NO_THROW(check_disk(1e3, folder / "a/b", "", ""));
}

TEST(Resources, FourThreadsForEachCoreAreTheMost) {
  EXPECT_NO_THROW(check_threads(0));
  EXPECT_NO_THROW(check_threads(4 * available_threads()));
  EXPECT_THAT(error_text([] { check_threads(10'000); }),
              HasSubstr("--threads is 10000, but this machine lets us use"));
}

TEST(Resources, BytesAreSaidInTheUnitThatFits) {
  EXPECT_EQ(bytes_text(999), "999 B");
  EXPECT_EQ(bytes_text(21.34e9), "21.3 GB");
  EXPECT_EQ(bytes_text(999.9e6), "1 GB");
}

}  // namespace
}  // namespace npq
