// Axes that show what is there, and lines that can be told apart.
#include "npq/report/charts/chart.h"

#include <gmock/gmock.h>

#include <cmath>

#include "npq/report/charts/axis.h"

namespace npq::report {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

TEST(Ticks, AreRoundAndCoverAllValues) {
  EXPECT_THAT(ticks(0, 37), ElementsAre(0, 10, 20, 30, 40));
  EXPECT_THAT(ticks(0, 1), ElementsAre(0, 0.2, 0.4, ::testing::DoubleNear(0.6, 1e-12), 0.8, 1));
  EXPECT_THAT(ticks(0, 0).back(), 1);
  EXPECT_THAT(ticks(0, 1e300).size(), ::testing::Gt(1u));
}

TEST(Axis, BySizesReachesNoFurtherThanTheDataAndDoublesInEqualSteps) {
  const auto sizes = doubling_axis({64, 128, 256}, 0, 100);
  EXPECT_THAT(sizes.marks, ElementsAre(64, 128, 256));
  EXPECT_EQ(sizes.place(64), 0);
  EXPECT_EQ(sizes.place(128), 50);
  EXPECT_EQ(sizes.place(256), 100);
}

TEST(Axis, StretchedShowsNinetyToHundredInHalfOfTheRoom) {
  const auto percent = stretched_axis(3, 99.5, 0, 100);
  EXPECT_THAT(percent.marks, ElementsAre(0, 50, 80, 90, 95, 98, 99, 100));
  EXPECT_NEAR(percent.place(90), 48, 1);  // 1 - log2(11) / log2(101)
  EXPECT_EQ(percent.place(100), 100);
  EXPECT_THAT(stretched_axis(92, 97, 0, 100).marks, ElementsAre(90, 95, 98));
}

Chart a_chart(std::vector<ChartPoint> points) {
  Chart chart{.title = "T", .x_label = "x", .y_label = "y", .series = {}};
  chart.series.push_back({"one", 0, std::move(points)});
  return chart;
}

TEST(Chart, OfAShareEndsAtOneWhateverTheSpread) {
  auto chart = a_chart({{0, 0.9, 0.4}, {1, 1, 0.4}});
  EXPECT_THAT(figure(chart), HasSubstr(">1.5</text>"));
  chart.most = 1;
  EXPECT_THAT(figure(chart), AllOf(HasSubstr(">1</text>"), Not(HasSubstr(">1.5</text>"))));
}

TEST(Chart, BeginsWhereTheDataDoIfAsked) {
  auto chart = a_chart({{0, 62, 0}, {1, 78, 0}});
  EXPECT_THAT(figure(chart), HasSubstr(">0</text><line class=\"grid\""));
  chart.from_zero = false;
  EXPECT_THAT(figure(chart), Not(HasSubstr(">0</text><line class=\"grid\"")));
}

TEST(Chart, EveryDrawIsADot) {
  const auto svg = figure(a_chart({{64, 2, 1, {1, 3}}, {128, 5, 0, {5}}}));
  std::size_t dots = 0;
  for (auto at = svg.find("<circle class=\"draw"); at != svg.npos;
       at = svg.find("<circle class=\"draw", at + 1))
    ++dots;
  EXPECT_EQ(dots, 3u);
}

TEST(Chart, LinesOnEachOtherBecomeStripesAndAreNamed) {
  auto chart = a_chart({{0, 1, 0}, {1, 2, 0}});
  chart.series.push_back({"two", 1, {{0, 1, 0}, {1, 2, 0}}});
  chart.series.push_back({"other", 2, {{0, 2, 0}, {1, 1, 0}}});
  EXPECT_THAT(
      figure(chart),
      AllOf(HasSubstr("On one line, in stripes: one and two."),
            HasSubstr("class=\"line c0 d0\" style=\"stroke-dasharray:12 12;stroke-dashoffset:-0;"),
            HasSubstr("class=\"line c1 d0\" style=\"stroke-dasharray:12 12;stroke-dashoffset:-12;"),
            HasSubstr("class=\"line c2 d0\" d=")));
}

TEST(Chart, TwentyLinesHaveTwentyColours) {
  EXPECT_THAT(legend_mark(8), HasSubstr("c8 d1"));
  EXPECT_THAT(legend_mark(19), HasSubstr("c19 d2"));
  EXPECT_THAT(legend_mark(20), HasSubstr("c0 d2"));
}

}  // namespace
}  // namespace npq::report
