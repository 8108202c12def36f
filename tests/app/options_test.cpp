// npq options: one table of options, seen from every place that reads it.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "npq/lrgb/train_options.h"
#include "npq/train/options.h"
#include "tests/support/run_command.h"

namespace npq::test {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

json options_of(const std::string& command) {
  const auto answer = run_npq({"options", "--json"});
  EXPECT_EQ(answer.exit_code, 0) << answer.err;
  return json::parse(answer.out).at(command);
}

TEST(Options, EveryRowIsInHelpInTheConfigurationAndIsTakenByConfig) {
  const auto help = run_npq({"train", "--help"}).out;
  const auto config = json::parse(run_npq({"train", "--print-config"}).out);
  const auto with_queue =
      json::parse(run_npq({"train", "--memory", "npq_w", "--attention", "single",  //
                           "--message-size", "unit", "--message-norm", "layer",    //
                           "--validate-sizes", "16,32", "--print-config"})
                      .out);
  for (const auto& option : options_of("train")) {
    const auto name = option.at("name").get<std::string>();
    EXPECT_THAT(help, HasSubstr(name));
    if (name == "init" || name == "memory-scope" || name == "message-pool")
      continue;  // not of this run
    ASSERT_TRUE(with_queue.contains(name)) << name;
    if (option.at("group") == "Memory") continue;     // their defaults depend on the memory
    const auto value = config.value(name, json(""));  // left out: what earlier runs did
    const auto text = value.is_string() ? value.get<std::string>() : value.dump();
    EXPECT_EQ(text == "[]" ? "" : text, option.at("default")) << name;
  }
}

TEST(Options, AllThatConfigurationsSayAreOptions) {
  std::vector<std::string> known;
  for (const auto& option : options_of("peptides train")) known.push_back(option.at("name"));
  const auto config = json::parse(
      run_npq({"peptides", "train", "--data", "d", "--memory", "npq_w", "--print-config"}).out);
  for (const auto& [key, unused] : config.items())
    if (key != "algorithm" && key != "data-checksum") {
      EXPECT_THAT(known, ::testing::Contains(key));
    }
}

TEST(Options, AnExperimentIsHeldToTheSameRanges) {
  const test::TemporaryFolder folder;
  test::put_file(folder / "tiny.json", R"({"title": "Tiny", "seeds": [1], "steps": 3,
    "sizes": [4], "runs": [{"algorithms": ["bfs"], "processors": ["mpnn"], "methods": [
      {"name": "Baseline", "flags": {"memory": "none", "dropout": 1}}]}]})");
  const auto refused = run_npq({"experiment", "run", (folder / "tiny.json").string(), "--dry-run"});
  const auto typed = run_npq({"train", "--dropout", "1", "--dry-run"});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_EQ(typed.exit_code, 2);
  for (const auto* answer : {&refused, &typed})
    EXPECT_THAT(answer->err, HasSubstr("--dropout is 1; expected at least 0 and less than 1"));
}

TEST(Options, TheTableIsReadable) {
  const auto answer = run_npq({"options"});
  EXPECT_EQ(answer.exit_code, 0);
  EXPECT_THAT(answer.out, HasSubstr("learning-rate"));
  EXPECT_THAT(answer.out, HasSubstr("whole number, at least 1"));
}

}  // namespace
}  // namespace npq::test
