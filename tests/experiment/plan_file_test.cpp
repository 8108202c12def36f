// What a folder keeps of the command that worked on it.
#include "npq/experiment/plan_file.h"

#include <gmock/gmock.h>

#include "tests/support/error_text.h"
#include "tests/support/temporary_folder.h"

namespace npq::experiment {
namespace {

using npq::test::error_text;
using npq::test::file_content;
using npq::test::put_file;
using npq::test::TemporaryFolder;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

PlanOptions all_options() {
  return {.only = "NPQ_W$",
          .seeds = {7, 2},
          .steps = 20,
          .sizes = {16, 8},
          .samples = 4,
          .flags = {{"hidden", "8"}, {"preset", "reference"}}};
}

TEST(PlanFile, GivesBackWhatWasAskedFor) {
  const TemporaryFolder folder;
  write_plan_options(folder.path(), "dijkstra", all_options());
  const auto kept = read_plan_options(folder.path(), "dijkstra");
  ASSERT_TRUE(kept.has_value());
  EXPECT_THAT(words_of(*kept),
              ElementsAre("--only", "NPQ_W$", "--seeds", "7,2", "--sizes", "16,8", "--set",
                          "hidden=8,preset=reference", "--steps", "20", "--samples", "4"));
  // The last one wins, also if it asks for nothing.
  write_plan_options(folder.path(), "dijkstra", {});
  EXPECT_THAT(words_of(*read_plan_options(folder.path(), "dijkstra")), IsEmpty());
  EXPECT_EQ(read_plan_options(folder / "nothing", "dijkstra").has_value(), false);
}

TEST(PlanFile, OfAnotherExperimentOrProgramIsAnError) {
  const TemporaryFolder folder;
  const auto refusal = [&] {
    return error_text([&] { read_plan_options(folder.path(), "dijkstra"); });
  };
  write_plan_options(folder.path(), "league", {});
  EXPECT_THAT(refusal(), HasSubstr("is of the experiment league"));
  for (const auto* text :
       {"{}", R"({"format": "npq-plan-1", "experiment": "dijkstra", "seeds": 1})",
        R"({"format": "npq-plan-1", "experiment": "dijkstra", "steps": "x"})",
        R"({"format": "npq-plan-1", "experiment": "dijkstra", "steps": 1.5})"}) {
    put_file(folder / "plan.json", text);
    EXPECT_THAT(refusal(), HasSubstr("is not what npq experiment run writes")) << text;
  }
  put_file(folder / "plan.json", file_content(folder / "plan.json").substr(0, 20));
  EXPECT_THAT(refusal(), HasSubstr("plan.json' is malformed JSON at line 1, column 21"));
  put_file(folder / "plan.json", R"({"steps": 1e999})");
  EXPECT_THAT(refusal(), HasSubstr("plan.json' has the number 1e999 at line 1, column 15"));
}

}  // namespace
}  // namespace npq::experiment
