// Wins and losses over many algorithms.
#include "npq/report/tables/sign_test.h"

#include <gmock/gmock.h>

#include <cmath>

#include "npq/report/tables/conclusion.h"
#include "tests/report/made_up_models.h"

namespace npq::report {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(SignTest, IsTheChanceOfACoinThatFallsAsUnevenly) {
  EXPECT_NEAR(sign_test(9, 1), 2.0 * (10 + 1) / 1024, 1e-12);
  EXPECT_NEAR(sign_test(1, 9), 2.0 * (10 + 1) / 1024, 1e-12);
  EXPECT_NEAR(sign_test(6, 0), 2.0 / 64, 1e-12);
  EXPECT_NEAR(sign_test(30, 0), std::pow(2.0, -29), 1e-15);
  // As even as can be: the two tails overlap in the middle.
  EXPECT_EQ(sign_test(5, 5), 1);
  EXPECT_EQ(sign_test(0, 0), 1);
}

/// NPQ_W against the baseline with a difference for each of several algorithms.
std::vector<Run> algorithms(const std::vector<double>& differences) {
  const char* names[] = {"bfs",     "dfs",      "dijkstra",   "heapsort",
                         "minimum", "mst_prim", "quickselect"};
  std::vector<MadeUpModel> models;
  for (std::size_t a = 0; a < differences.size(); ++a) {
    // Sizes differ, as where traces are too long.
    const std::int64_t size = a == 0 ? 32 : 64;
    models.push_back({.memory = "none", .scores = {0.5}, .algorithm = names[a], .size = size});
    models.push_back(
        {.memory = "npq_w", .scores = {0.5 + differences[a]}, .algorithm = names[a], .size = size});
  }
  return runs_of(models);
}

TEST(Signs, CountWinsLossesAndTiesOverAlgorithms) {
  const auto runs = algorithms({0.1, 0.001, 0.2, -0.3, 0, 0.05, 0.4});
  const auto signs = signs_of(groups_of(runs));
  ASSERT_EQ(signs.size(), 1u);
  EXPECT_EQ(signs[0].text(),
            "MPNN + NPQ_W is above MPNN on 5 of 7 algorithms and below it on 1, 1 tied (sign test, "
            "p = 0.219)");
  EXPECT_THAT(signs_table(signs).rows, ElementsAre(ElementsAre("MPNN + NPQ_W", "MPNN", "best", "7",
                                                               "5", "1", "1", "0.219")));
  EXPECT_THAT(conclusion(groups_of(runs))[1],
              AllOf(HasSubstr("MPNN + NPQ_W is above MPNN on 5 of 7 algorithms"),
                    HasSubstr("7 rest on one seed")));
}

TEST(Signs, OfFewAlgorithmsSayNothing) {
  const auto runs = algorithms({0.1, 0.1, 0.1, 0.1, 0.1});
  EXPECT_THAT(signs_of(groups_of(runs)), IsEmpty());
}

}  // namespace
}  // namespace npq::report
