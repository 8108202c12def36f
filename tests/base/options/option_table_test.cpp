#include "npq/base/options/option_table.h"

#include <gmock/gmock.h>

#include "npq/base/options/config_json.h"
#include "tests/support/error_text.h"

namespace npq {
namespace {

using test::error_text;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

enum class Fruit { Apple, Pear };
constexpr NamedChoice<Fruit> kFruits[] = {{"apple", Fruit::Apple}, {"pear", Fruit::Pear}};

struct Inner {
  double share = 0.5;
};
struct Basket {
  std::int64_t count = 3;
  std::uint64_t seed = 1;
  bool ripe = true;
  Fruit fruit = Fruit::Apple;
  std::vector<int> sizes;
  Inner inner;
};

const OptionTable<Inner>& inner_table() {
  static const OptionTable<Inner> table{
      {plain_option<Inner>("share", "of them", "P", NPQ_FIELD(share)).in(at_least(0).below(1))}};
  return table;
}

const OptionTable<Basket>& table() {
  static const OptionTable<Basket> all = [] {
    auto rows = options_of_member<Basket>(inner_table(), NPQ_FIELD(inner));
    rows.push_back(plain_option<Basket>("count", "how many", "N", NPQ_FIELD(count))
                       .in(at_least(1))
                       .changeable());
    rows.push_back(plain_option<Basket>("seed", "of the tree", "S", NPQ_FIELD(seed)));
    rows.push_back(plain_option<Basket>("ripe", "or not", "", NPQ_FIELD(ripe)).later());
    rows.push_back(choice_option<Basket>("fruit", "which", kFruits, NPQ_FIELD(fruit)));
    rows.push_back(plain_option<Basket>("sizes", "of each", "N,N", NPQ_FIELD(sizes)));
    auto& ripe = rows[3];
    ripe.fits = [](const Basket& basket) { return basket.count < 100; };
    ripe.unfitting = [](const Basket& basket) {
      return fmt::format("{} are too many to tell --ripe", basket.count);
    };
    return OptionTable<Basket>(std::move(rows));
  }();
  return all;
}

std::string refusal(const std::string& name, const std::string& text, Basket basket = {}) {
  return error_text([&] { table().set(basket, name, text); });
}

TEST(OptionTable, SetsTheFieldThatTheRowNames) {
  Basket basket;
  table().set(basket, "share", "0.25");
  table().set(basket, "count", "7");
  table().set(basket, "seed", "18446744073709551615");
  table().set(basket, "ripe", "false");
  table().set(basket, "fruit", "pear");
  table().set(basket, "sizes", "4,7,11");
  EXPECT_EQ(basket.inner.share, 0.25);
  EXPECT_EQ(basket.count, 7);
  EXPECT_EQ(basket.seed, 18446744073709551615u);
  EXPECT_FALSE(basket.ripe);
  EXPECT_EQ(basket.fruit, Fruit::Pear);
  EXPECT_THAT(basket.sizes, ElementsAre(4, 7, 11));
  EXPECT_THAT(
      table().values(basket),
      ElementsAre(Pair("share", "0.25"), Pair("count", "7"), Pair("seed", "18446744073709551615"),
                  Pair("ripe", "false"), Pair("fruit", "pear"), Pair("sizes", "4,7,11")));
}

TEST(OptionTable, ARefusedValueNamesTheOptionTheValueAndWhatWasExpected) {
  EXPECT_EQ(refusal("count", "0"), "--count is 0; expected at least 1");
  EXPECT_EQ(refusal("share", "1"), "--share is 1; expected at least 0 and less than 1");
  EXPECT_EQ(refusal("count", "many"), "--count is 'many'; expected a whole number");
  EXPECT_EQ(refusal("count", "1.5"), "--count is '1.5'; expected a whole number");
  EXPECT_THAT(refusal("count", "99999999999999999999"), HasSubstr("is out of range"));
  EXPECT_EQ(refusal("seed", "-1"), "--seed is '-1'; expected a whole number from 0");
  EXPECT_THAT(refusal("share", "1e999"), HasSubstr("is out of range"));
  EXPECT_THAT(refusal("share", "nan"), HasSubstr("is out of range"));
  EXPECT_EQ(refusal("ripe", "perhaps"), "--ripe is 'perhaps'; expected true or false");
  EXPECT_THAT(refusal("fruit", "aple"), HasSubstr("did you mean 'apple'"));
  EXPECT_THAT(refusal("sizes", "4,"), HasSubstr("expected whole numbers separated by commas"));
  EXPECT_THAT(refusal("sizes", "4;7"), HasSubstr("expected whole numbers separated by commas"));
  EXPECT_THAT(refusal("cout", "1"), HasSubstr("did you mean 'count'"));
  EXPECT_EQ(refusal("ripe", "true", {.count = 100}), "100 are too many to tell --ripe");
}

TEST(OptionTable, ChecksEveryRangeOfAStructThatWasFilledByHand) {
  EXPECT_EQ(error_text([] { table().check({.count = -2}); }), "--count is -2; expected at least 1");
  EXPECT_EQ(error_text([] { table().check({.inner = {.share = -1}}); }),
            "--share is -1; expected at least 0 and less than 1");
  table().check({});
}

TEST(OptionTable, OfARunThatGoesOnOnlyWhatIsMarkedMayChange) {
  EXPECT_THAT(table().changeable(), ElementsAre("count"));
  Basket basket;
  table().change(basket, {{"count", "7"}});
  EXPECT_EQ(basket.count, 7);
  EXPECT_EQ(error_text([&] {
              table().change(basket, {{"count", "0"}});
            }),
            "--count is 0; expected at least 1");
  EXPECT_THAT(error_text([&] {
                table().change(basket, {{"seed", "2"}});
              }),
              HasSubstr("--seed cannot be changed"));
  EXPECT_EQ(basket.seed, 1u);
}

TEST(ConfigJson, KeepsEveryValueInItsOwnTypeAndReadsItBack) {
  Basket basket{.count = 9, .seed = 18446744073709551615u, .sizes = {16, 21}};
  const auto config = config_json(table(), basket);
  EXPECT_EQ(config["count"], 9);
  EXPECT_EQ(config["seed"], 18446744073709551615u);
  EXPECT_EQ(config["ripe"], true);
  EXPECT_EQ(config["fruit"], "apple");
  EXPECT_EQ(config["share"], 0.5);
  EXPECT_EQ(config["sizes"], nlohmann::json({16, 21}));
  Basket back;
  read_config(table(), nlohmann::json::parse(config.dump()), back);
  EXPECT_EQ(config_json(table(), back), config);
}

TEST(ConfigJson, RefusesWhatIsMissingUnknownOrNoValue) {
  const auto refusal = [](auto change) {
    auto config = config_json(table(), Basket{});
    change(config);
    Basket basket;
    return error_text([&] { read_config(table(), config, basket); });
  };
  EXPECT_EQ(refusal([](auto& config) { config.erase("count"); }), "--count is missing");
  EXPECT_THAT(refusal([](auto& config) { config["cuont"] = 1; }), HasSubstr("did you mean"));
  EXPECT_THAT(refusal([](auto& config) {
                config["count"] = {{"host", 1}};
              }),
              AllOf(HasSubstr("--count"), HasSubstr("expected a value")));
  EXPECT_THAT(refusal([](auto& config) { config["count"] = 1.5; }),
              HasSubstr("expected a whole number"));
}

TEST(ConfigJson, TakesWhatEarlierProgramsWroteAndWhatARunSaysAboutItself) {
  auto config = config_json(table(), Basket{.count = 5});
  config.erase("ripe");
  config["about"] = {{"host", 1}};
  Basket basket;
  read_config(table(), config, basket);
  EXPECT_EQ(basket.count, 5);
  EXPECT_TRUE(basket.ripe);
}

struct Nut {
  std::string shell = "thin";
};

TEST(ConfigJson, LeavesOutWhatEarlierRunsDidBeforeThereWasAChoice) {
  const OptionTable<Nut> nuts{
      {plain_option<Nut>("shell", "", "NAME", NPQ_FIELD(shell)).later("thick")}};
  EXPECT_EQ(config_json(nuts, Nut{}), (nlohmann::json{{"shell", "thin"}}));
  const auto earlier = config_json(nuts, Nut{.shell = "thick"});
  EXPECT_TRUE(earlier.empty());
  Nut nut;
  read_config(nuts, earlier, nut);
  EXPECT_EQ(nut.shell, "thick");
}

}  // namespace
}  // namespace npq
