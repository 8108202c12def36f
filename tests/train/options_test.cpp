#include "npq/train/options.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <random>

#include "npq/base/files/json_file.h"
#include "npq/base/files/run_kind.h"
#include "npq/clrs/catalog.h"
#include "npq/memory/catalog.h"
#include "npq/memory/flags.h"
#include "npq/nn/processors/catalog.h"
#include "tests/support/error_text.h"

namespace npq::train {
namespace {

using test::error_text;
using ::testing::HasSubstr;

template <class List>
auto any_of(const List& list, std::mt19937& random) {
  return list[random() % std::size(list)];
}

/// Options drawn at random from all that may be combined.
TrainOptions random_options(std::mt19937& random) {
  TrainOptions options;
  const auto real = [&] { return (random() % 1000000) / 1e6; };
  options.algorithm = any_of(clrs::catalog(), random).name;
  options.model.processor.name = any_of(nn::kProcessors, random).name;
  options.model.hidden = 8 * (1 + random() % 16);
  options.model.hint_mode = any_of(model::kHintModes, random).choice;
  options.model.repred_mode = any_of(model::kRepredModes, random).choice;
  options.model.encoder_init = any_of(nn::kEncoderInits, random).choice;
  options.model.teacher_forcing = real();
  options.model.dropout = real() / 2;
  options.model.message_steps = 1 + random() % 3;
  options.model.enforce_permutations = random() % 2;
  options.model.processor.layer_norm = random() % 2;
  options.model.processor.triplet_fts = 1 + random() % 8;
  options.adam.learning_rate = real();
  options.clip = real();
  options.batch = 1 + random() % 64;
  options.steps = 1 + random() % 100000;
  options.evaluate_every = 1 + random() % 1000;
  options.seed = (std::uint64_t{random()} << 32) + random();
  if (random() % 2) options.train_sizes = {16, 21};
  if (random() % 2) options.validate_sizes = {16, 32};
  options.random_positions = random() % 2;
  options.memory.name = "oracle";
  while (options.memory.name == "oracle")
    options.memory = memory::memory_options(any_of(memory::catalog(), random).name);
  for (const auto& flag : memory::flags()) {
    const auto values = memory::flag_values(options.memory);
    const bool fits = std::any_of(values.begin(), values.end(),
                                  [&](const auto& value) { return value.first == flag.name; });
    if (!fits) continue;
    memory::set_flag(options.memory, flag.name,
                     flag.choices.empty() ? std::to_string(2 + random() % 9)
                                          : std::string(any_of(flag.choices, random)));
  }
  options.validate();
  return options;
}

TEST(TrainOptions, AnyOptionsComeBackFromTheirJson) {
  std::mt19937 random(1);
  for (int k = 0; k < 300; ++k) {
    const auto options = random_options(random);
    const auto config = to_json(options);
    const auto back = train_options(nlohmann::json::parse(config.dump()), "config.json");
    EXPECT_EQ(to_json(back), config);
    EXPECT_EQ(back.memory, options.memory);
    EXPECT_EQ(back.seed, options.seed);
    EXPECT_EQ(back.adam.learning_rate, options.adam.learning_rate);
    EXPECT_EQ(back.model.hint_mode, options.model.hint_mode);
  }
}

// The committed results are of runs from before some options existed. A new run that does the same
// has the same options, or reports would tell them apart.
TEST(TrainOptions, OfEarlierRunsAreReadAndAreThoseOfNewOnes) {
  int runs = 0;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(NPQ_SOURCE_DIR "/results")) {
    if (entry.path().extension() != ".json") continue;
    const auto earlier = read_object(entry.path()).at("config");
    if (earlier.at("algorithm") == kPeptides) continue;
    ++runs;
    const auto today = to_json(train_options(earlier, entry.path().string()));
    for (const auto& [key, value] : today.items())
      EXPECT_TRUE(earlier.contains(key) || key == "preset") << entry.path() << " " << key;
  }
  EXPECT_GT(runs, 50);
}

// Or --config would read the memory's default where config.json left out what runs did before.
TEST(TrainOptions, WhatWasAddedLaterIsInEveryMemoryAsItWasBefore) {
  for (const auto& memory : memory::memory_names()) {
    const auto options = memory::memory_options(memory, memory::Preset::Paper);
    for (const auto& flag : memory::flags()) {
      if (flag.before.empty() || !memory::flags().fits(flag, options)) continue;
      EXPECT_EQ(flag.text(options), flag.before) << memory << " --" << flag.name;
    }
  }
}

TEST(TrainOptions, TheDefaultsAreThePapersProtocol) {
  const auto config = to_json(TrainOptions{});
  EXPECT_EQ(config["algorithm"], "dijkstra");
  EXPECT_EQ(config["processor"], "mpnn");
  EXPECT_EQ(config["hidden"], 128);
  EXPECT_EQ(config["batch"], 32);
  EXPECT_EQ(config["steps"], 30000);
  EXPECT_EQ(config["evaluate-every"], 500);
  EXPECT_EQ(config["learning-rate"], 0.001);
  EXPECT_EQ(config["clip"], 1.0);
}

/// What is said to the default options with one key changed.
std::string refusal(const std::string& key, const nlohmann::json& value) {
  auto config = to_json(TrainOptions{});
  config[key] = value;
  return error_text([&] { train_options(config, "config.json"); });
}

TEST(TrainOptions, AConfigurationThatWasBentByHandIsRefused) {
  EXPECT_THAT(refusal("algorithm", "dijkstar"), HasSubstr("did you mean 'dijkstra'"));
  EXPECT_THAT(refusal("processor", "mpn"), HasSubstr("did you mean 'mpnn'"));
  EXPECT_THAT(refusal("memory", "npq_x"), HasSubstr("no memory 'npq_x'"));
  EXPECT_THAT(refusal("hidden", "many"), HasSubstr("--hidden is 'many'; expected a whole number"));
  EXPECT_THAT(refusal("hidden", 1.5), HasSubstr("--hidden is '1.5'; expected a whole number"));
  EXPECT_THAT(refusal("hidden", 0), HasSubstr("--hidden is 0; expected at least 1"));
  EXPECT_THAT(refusal("seed", -1), HasSubstr("--seed is '-1'; expected a whole number from 0"));
  EXPECT_THAT(refusal("train-sizes", {5000000000}), HasSubstr("--train-sizes is '5000000000'"));
  EXPECT_THAT(refusal("hiden", 64), HasSubstr("did you mean 'hidden'"));
  auto config = to_json(TrainOptions{});
  config.erase("clip");
  EXPECT_THAT(error_text([&] { train_options(config, "config.json"); }),
              HasSubstr("--clip is missing"));
}

TEST(TrainOptions, WhatARunAddsAboutItselfIsNoOption) {
  auto config = to_json(TrainOptions{});
  config["about"] = {{"threads", 2}};
  EXPECT_EQ(to_json(train_options(config, "config.json")), to_json(TrainOptions{}));
}

TEST(TrainOptions, ImpossibleNumbersAreUsageErrors) {
  const auto text = [](auto change) {
    TrainOptions options;
    change(options);
    return error_text([&] { options.validate(); });
  };
  EXPECT_THAT(text([](auto& o) { o.batch = 0; }), HasSubstr("--batch is 0"));
  EXPECT_THAT(text([](auto& o) { o.steps = 0; }), HasSubstr("--steps is 0"));
  EXPECT_THAT(text([](auto& o) { o.evaluate_every = 0; }), HasSubstr("--evaluate-every is 0"));
  EXPECT_THAT(text([](auto& o) { o.clip = -1; }), HasSubstr("--clip is -1"));
  EXPECT_THAT(text([](auto& o) { o.train_sizes = {1}; }), HasSubstr("--train-sizes has 1"));
  EXPECT_THAT(text([](auto& o) { o.validate_sizes = {1}; }), HasSubstr("--validate-sizes has 1"));
  EXPECT_THAT(text([](auto& o) {
                o.algorithm = "bfs";
                o.memory = memory::memory_options("oracle");
              }),
              HasSubstr("cannot serve algorithm 'bfs'"));
}

}  // namespace
}  // namespace npq::train
