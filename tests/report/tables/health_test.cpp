// What the memories held when the log last looked.
#include "npq/report/tables/health.h"

#include <gmock/gmock.h>

namespace npq::report {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Runs = std::vector<Run>;  // inside a test, Run is another

Run a_run(const std::string& memory, std::int64_t seed,
          std::map<std::string, std::vector<Point>> health) {
  Run run;
  run.algorithm = "bfs";
  run.processor = "mpnn";
  run.memory = memory;
  run.options = {{"algorithm", "bfs"}, {"memory", memory}, {"seed", std::to_string(seed)}};
  run.seed = seed;
  run.health = std::move(health);
  return run;
}

TEST(HealthTable, HasTheLastFiguresOfEachMemoryOverItsSeeds) {
  // Last of two looks: 1 and 3 elements alive in the two seeds, 2 on average, 1 apart.
  const Runs runs = {
      a_run("none", 1, {}),
      a_run("npq_w", 1, {{"alive", {{0, 0, 8}, {9, 1, 1}}}, {"drained", {{9, 1, 1}}}}),
      a_run("npq_w", 2, {{"alive", {{9, 1, 3}}}, {"drained", {{9, 1, 0.5}}}}),
      a_run("npq_w_p", 1, {{"alive", {{9, 1, 8.5}}}})};
  const auto table = health_table(groups_of(runs));
  ASSERT_EQ(table.columns.size(), 4u);
  EXPECT_EQ(table.columns[2].name, "elements alive");
  EXPECT_EQ(table.columns[3].name, "share drained per step");
  EXPECT_THAT(table.rows,
              ElementsAre(ElementsAre("bfs", "MPNN + NPQ_W", "2.00 ± 1.00", "0.75 ± 0.25"),
                          ElementsAre("bfs", "MPNN + NPQ_W-P", "8.50", "-")));
}

TEST(HealthTable, HasNoRowsWhereNoMemoryWasLookedAt) {
  const Runs runs = {a_run("none", 1, {}), a_run("npq_w", 1, {{"alive", {}}})};
  EXPECT_THAT(health_table(groups_of(runs)).rows, IsEmpty());
}

}  // namespace
}  // namespace npq::report
