#include <gmock/gmock.h>

#include "npq/peptides/chemistry.h"
#include "npq/peptides/generator.h"

namespace npq::peptides {
namespace {

TEST(Generate, TheNumberOfThreadsDoesNotShow) {
  const auto one = generate({.count = 20, .seed = 3}, 1),
             three = generate({.count = 20, .seed = 3}, 3);
  EXPECT_EQ(one.targets, three.targets);
  EXPECT_EQ(one.split.parts, three.split.parts);
  for (std::size_t k = 0; k < one.graphs.size(); ++k) {
    EXPECT_EQ(one.graphs[k].atoms, three.graphs[k].atoms);
    EXPECT_EQ(one.graphs[k].edges, three.graphs[k].edges);
    EXPECT_EQ(one.graphs[k].bonds, three.graphs[k].bonds);
  }
}

TEST(Generate, ARowDoesNotDependOnHowManyFollow) {
  const auto few = generate({.count = 10, .seed = 3}), more = generate({.count = 15, .seed = 3});
  for (std::size_t k = 0; k < few.graphs.size(); ++k) {
    EXPECT_EQ(few.targets[k], more.targets[k]);
    EXPECT_EQ(few.graphs[k].atoms, more.graphs[k].atoms);
  }
}

TEST(Generate, CountsItsProgressAndSaysWhatMadeIt) {
  std::int64_t last = 0;
  const auto dataset =
      generate({.count = 12, .seed = 1}, 2, [&](std::int64_t done, std::int64_t total) {
        EXPECT_EQ(done, ++last);
        EXPECT_EQ(total, 12);
      });
  EXPECT_EQ(last, 12);
  EXPECT_EQ(dataset.about.at("source"), "generated");
  EXPECT_THAT(dataset.about.at("chemistry"), ::testing::StartsWith("RDKit "));
  for (const auto& graph : dataset.graphs) EXPECT_EQ(problem_of(graph), "");
}

}  // namespace
}  // namespace npq::peptides
