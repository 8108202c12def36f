// What a trained network loses without parts of its memory.
#include "npq/report/tables/worth.h"

#include <gmock/gmock.h>

#include "tests/report/made_up_models.h"

namespace npq::report {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<Run> tested(const MadeUpModel& model, const std::vector<std::vector<double>>& without) {
  auto runs = model.runs();
  for (std::size_t k = 0; k < runs.size(); ++k) runs[k].tests[0].ablated["zero"] = without[k];
  return runs;
}

TEST(WorthTable, HasWhatIsLostSeedBySeedAndGraphByGraph) {
  // Seeds lose 0.05 and 0.15; graphs lose 0.15 and 0.05.
  const auto runs =
      tested({.memory = "npq_w", .scores = {0.8, 0.7}, .graphs = {{0.9, 0.7}, {0.8, 0.6}}},
             {{0.8, 0.7}, {0.6, 0.5}});
  EXPECT_THAT(worth_table(groups_of(runs)).rows,
              ElementsAre(ElementsAre("dijkstra", "MPNN + NPQ_W", "64, best", "zero", "75.00",
                                      "65.00", "+10.00", "[-53.53,\u00a0+73.53]", "2",
                                      "[+5.00,\u00a0+15.00]", "2 of 2", "0")));
}

TEST(WorthTable, OfPeptidesHasTheGrowthOfTheError) {
  const auto runs = tested(
      {.memory = "npq_w", .scores = {0.3}, .algorithm = "peptides", .graphs = {{0.25, 0.35}}},
      {{0.35, 0.45}});
  EXPECT_THAT(worth_table(groups_of(runs)).rows,
              ElementsAre(ElementsAre("peptides", "GCN + NPQ_W", "best", "zero", "0.3000", "0.4000",
                                      "+0.1000", "one draw", "1", "[+0.1000,\u00a0+0.1000]",
                                      "2 of 2", "0")));
}

TEST(WorthTable, IsEmptyWhereNothingWasTakenAway) {
  const auto runs = runs_of({{.memory = "npq_w", .scores = {0.8}, .graphs = {{0.8}}}});
  EXPECT_THAT(worth_table(groups_of(runs)).rows, IsEmpty());
}

}  // namespace
}  // namespace npq::report
