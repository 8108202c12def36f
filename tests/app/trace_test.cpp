// npq trace, as a user calls it.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "tests/support/run_command.h"
#include "tests/support/temporary_folder.h"

namespace npq::test {
namespace {

using testing::file_content;
using ::testing::HasSubstr;

class TraceCommandTest : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(run_npq({"train", "--hidden", "4", "--batch", "2", "--steps", "1", "--threads", "1",
                       "--quiet", "--memory", "npq_w", "--out", run()})
                  .exit_code,
              0);
  }
  std::string run() const { return (folder_ / "run").string(); }
  testing::TemporaryFolder folder_;
};

TEST_F(TraceCommandTest, WritesThePageOrAllOfItAsJson) {
  const auto page = (folder_ / "trace.html").string();
  const auto answer = run_npq({"trace", run(), "--nodes", "6", "--out", page});
  EXPECT_EQ(answer.exit_code, 0) << answer.err;
  EXPECT_EQ(answer.out, page + "\n");
  EXPECT_THAT(file_content(page), HasSubstr("dijkstra under the microscope"));
  const auto printed = run_npq({"trace", run(), "--nodes", "6", "--json"});
  const auto trace = nlohmann::json::parse(printed.out);
  EXPECT_EQ(trace["nodes"], 6);
  EXPECT_EQ(trace["memory"], "npq_w");
  EXPECT_EQ(trace["steps"].size(), trace["hints"]["d"]["true"].size());
}

TEST_F(TraceCommandTest, WhatCannotBeIsOneSentence) {
  const auto many = run_npq({"trace", run(), "--nodes", "65"});
  EXPECT_EQ(many.exit_code, 2);
  EXPECT_THAT(many.err, HasSubstr("--nodes is 65; expected 1 to 64"));
  const auto none = run_npq({"trace", (folder_ / "nowhere").string()});
  EXPECT_EQ(none.exit_code, 1);
  EXPECT_THAT(none.err, HasSubstr("there is no run folder"));
  const auto out = run_npq({"trace", run(), "--out", (folder_ / "no" / "t.html").string()});
  EXPECT_EQ(out.exit_code, 1);
  EXPECT_THAT(out.err, HasSubstr("t.html"));
}

}  // namespace
}  // namespace npq::test
