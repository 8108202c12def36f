// npq compare, as a user calls it.
#include <gmock/gmock.h>

#include "npq/memory/catalog.h"
#include "tests/support/run_command.h"
#include "tests/support/torch_stored_runs.h"

namespace npq::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class Compare : public ::testing::Test {
 protected:
  std::string run(const std::string& name) const { return (folder_ / name).string(); }

  test::TemporaryFolder folder_;
};

TEST_F(Compare, ShowsTwoEvaluatedRunsSideBySide) {
  auto options = small_options("bfs");
  store_run(run("none"), options);
  options.memory = memory::memory_options("npq_w");
  store_run(run("queue"), options);
  const auto before = run_npq({"compare", run("none"), run("queue")});
  EXPECT_EQ(before.exit_code, 0) << before.err;
  EXPECT_THAT(before.out, HasSubstr("nothing to compare graph by graph; npq evaluate RUN"));
  for (const auto* name : {"none", "queue"})
    ASSERT_EQ(run_npq({"evaluate", run(name), "--sizes", "8", "--samples", "3"}).exit_code, 0);
  const auto answer =
      run_npq({"compare", run("none"), run("queue"), "--out", run("pages/compare.html")});
  EXPECT_EQ(answer.exit_code, 0) << answer.err;
  EXPECT_THAT(answer.out, AllOf(HasSubstr("test 8, best"), HasSubstr("B - A"),
                                HasSubstr("Options that differ"), HasSubstr(" of 3")));
  EXPECT_THAT(test::file_content(folder_ / "pages/compare.html"), HasSubstr("B - A"));
}

TEST_F(Compare, TakesCommittedResultsToo) {
  const std::string results = NPQ_SOURCE_DIR "/results/dijkstra/dijkstra/mpnn/";
  const auto answer =
      run_npq({"compare", results + "Baseline/seed1.json", results + "NPQ_W/seed1.json"});
  EXPECT_EQ(answer.exit_code, 0) << answer.err;
  EXPECT_THAT(answer.out, AllOf(HasSubstr("test 256, best"), HasSubstr(" of 32")));
}

TEST_F(Compare, WantsTwoRunFolders) {
  store_run(run("none"), small_options("bfs"));
  EXPECT_EQ(run_npq({"compare", run("none")}).exit_code, 2);
  const auto answer = run_npq({"compare", run("none"), run("nowhere")});
  EXPECT_EQ(answer.exit_code, 1);
  EXPECT_THAT(answer.err, HasSubstr("there is no run folder"));
}

}  // namespace
}  // namespace npq::test
