#include "npq/train/scoring/score_json.h"

#include <gmock/gmock.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "tests/support/error_text.h"

namespace npq::train {
namespace {

using clrs::hint;
using clrs::output;
using nlohmann::json;
using ::testing::HasSubstr;
using namespace clrs::spec_words;

TEST(ScoreJson, ValuesAreNestedAsTheirShapeSays) {
  EXPECT_EQ(nested_json(output("Pi", edge, pointer), 2, {0, 1, 1, 0}).dump(), "[[0,1],[1,0]]");
  EXPECT_EQ(nested_json(output("m", graph, mask), 2, {1}).dump(), "1");
  EXPECT_EQ(nested_json(output("c", node, categorical).of_classes(3), 1, {0, 0, -1}).dump(),
            "[[0,0,-1]]");
  EXPECT_EQ(nested_json(hint("d", node, scalar), 2, {0.5, 1, 2, 3}).dump(),
            "[[0.5,1.0],[2.0,3.0]]");
  EXPECT_EQ(nested_json(hint("d", node, scalar), 2, {}).dump(), "[]");
}

TEST(ScoreJson, ASampleComesBackAsItWas) {
  const clrs::Spec spec = {output("Pi", edge, pointer), hint("d", node, scalar)};
  const ScoredSample sample{
      .nodes = 2,
      .outputs = {{"Pi", {{0, 1, 1, 0}, {0, 0, 1, 1}}}},
      .hints = {{"d", {{0.25, 0.1f}, {0.5, 2}}}},
      .valid = {1, 0},
  };
  const auto text = to_json(spec, sample).dump();
  EXPECT_EQ(scored_sample(json::parse(text)), sample);
}

TEST(ScoreJson, ANumberThatIsNoneBecomesNullAndComesBack) {
  const clrs::Spec spec = {output("d", node, scalar)};
  const ScoredSample sample{.nodes = 1,
                            .outputs = {{"d", {{std::numeric_limits<double>::quiet_NaN()}, {1}}}},
                            .hints = {},
                            .valid = {}};
  const auto text = to_json(spec, sample).dump();
  EXPECT_THAT(text, HasSubstr("null"));
  EXPECT_TRUE(std::isnan(scored_sample(json::parse(text)).outputs.at("d").predicted[0]));
}

TEST(ScoreJson, AnythingElseIsRefused) {
  EXPECT_THAT(test::error_text([] { scored_sample(json::parse("{}")); }),
              HasSubstr("not a sample as an evaluation writes it"));
}

}  // namespace
}  // namespace npq::train
