// An option of training is added as it would be in the tree, by one row of a table, and is then
// everywhere.
#include <gmock/gmock.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "app/trained_options.h"
#include "npq/base/options/config_json.h"
#include "npq/experiment/experiment.h"
#include "tests/support/error_text.h"
#include "tests/support/temporary_folder.h"

namespace npq::app {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

struct Options {
  train::TrainOptions usual;
  double warmth = 0.25;
};

const OptionTable<Options>& table() {
  static const OptionTable<Options> all = [] {
    auto rows = options_of_member<Options>(train::train_option_table(), NPQ_FIELD(usual));
    rows.push_back(plain_option<Options>("warmth", "of the machine", "X", NPQ_FIELD(warmth))
                       .in(from_to(0, 1)));
    return OptionTable<Options>(std::move(rows));
  }();
  return all;
}

struct Answer {
  int exit_code;
  std::string out, err;
  Options options;
};

/// A program whose only command has the options of the table.
Answer train(std::vector<std::string> words) {
  Answer answer;
  Cli cli("program: one command", "program 0");
  CLI::App* command = nullptr;
  const auto chosen = [&] { return chosen_options(table(), given_options(*command, table())); };
  command = cli.command(cli.root(), "train", "trains", {"program train"}, [&] {
    answer.options = chosen();
    return 0;
  });
  cli.print_config_with(command, [&] { return config_json(table(), chosen()); });
  bind_options(command, table());
  words.insert(words.begin(), {"program", "train"});
  std::vector<char*> arguments;
  for (auto& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  answer.exit_code = cli.run(static_cast<int>(words.size()), arguments.data());
  answer.out = testing::internal::GetCapturedStdout();
  answer.err = testing::internal::GetCapturedStderr();
  return answer;
}

TEST(AnAddedOption, IsInTheHelpWithItsDefault) {
  EXPECT_THAT(train({"--help"}).out,
              AllOf(HasSubstr("--warmth X"), HasSubstr("of the machine"), HasSubstr("0.25")));
}

TEST(AnAddedOption, IsReadFromTheCommandLineAndIsInTheConfiguration) {
  EXPECT_EQ(train({}).options.warmth, 0.25);
  EXPECT_EQ(train({"--warmth", "0.5"}).options.warmth, 0.5);
  const auto config = nlohmann::json::parse(train({"--warmth", "0.5", "--print-config"}).out);
  EXPECT_EQ(config.at("warmth"), 0.5);
  Options again;
  read_config(table(), config, again);
  EXPECT_EQ(again.warmth, 0.5);
}

TEST(AnAddedOption, IsReadFromAConfigurationFile) {
  const test::TemporaryFolder folder;
  test::put_file(folder / "config.json", R"({"warmth": 0.75, "hidden": 32})");
  const auto answer = train({"--config", (folder / "config.json").string()});
  EXPECT_EQ(answer.exit_code, 0) << answer.err;
  EXPECT_EQ(answer.options.warmth, 0.75);
  EXPECT_EQ(answer.options.usual.model.hidden, 32);
}

TEST(AnAddedOption, IsTakenByTheRunsOfAnExperiment) {
  const auto set = experiment::parse_flags("warmth=1,hidden=32");
  EXPECT_EQ(chosen_options(table(), {set.begin(), set.end()}).warmth, 1);
}

TEST(AnAddedOption, IsHeldToItsRangeAndNamedInEveryError) {
  const auto refused = train({"--warmth", "2"});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.err, HasSubstr("--warmth is 2; expected 0 to 1"));
  EXPECT_THAT(train({"--warmth", "hot"}).err, HasSubstr("--warmth is 'hot'; expected a number"));
  EXPECT_THAT(train({"--warmt", "1"}).err, HasSubstr("did you mean '--warmth'"));
  EXPECT_THAT(test::error_text([] {
                Options options;
                table().set(options, "warmt", "1");
              }),
              HasSubstr("did you mean 'warmth'"));
}

}  // namespace
}  // namespace npq::app
