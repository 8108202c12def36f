// What --config reads, and what is said about everything else.
#include <gmock/gmock.h>

#include "tests/support/run_command.h"
#include "tests/support/temporary_folder.h"

namespace npq::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

TEST(ConfigFile, DeepOrHugeOnesAreOneSentence) {
  const test::TemporaryFolder folder;
  const auto refusal = [&](const std::string& text) {
    test::put_file(folder / "c.json", text);
    const auto answer = run_npq({"data", "show", "bfs", "--config", (folder / "c.json").string()});
    EXPECT_EQ(answer.exit_code, 2);
    return answer.err;
  };
  EXPECT_THAT(refusal("{\"about\": " + std::string(100'000, '[') + std::string(100'000, ']') + "}"),
              HasSubstr("c.json' is nested more than 32 deep at line 1, column 42"));
  EXPECT_THAT(refusal("{\"seed\": 1e999}"), HasSubstr("has the number 1e999 at line 1"));
  EXPECT_THAT(refusal("{\"seed\": 1,\n}"), AllOf(HasSubstr("is malformed JSON at line 2, column 1"),
                                                 HasSubstr("expected what --print-config prints")));
  EXPECT_THAT(refusal("{\"a\": \"" + std::string(2'000'000, 'x') + "\"}"),
              HasSubstr("more than 1000000 bytes"));
}

TEST(ConfigFile, ListsBecomeCommasAndObjectsAreLeftOut) {
  const test::TemporaryFolder folder;
  test::put_file(folder / "c.json",
                 R"({"p": [0.5, 0.25], "seed": 7, "nodes": null, "about": {"a": [1]}})");
  const auto read = run_npq({"data", "show", "bfs", "--config", (folder / "c.json").string()});
  EXPECT_EQ(read.exit_code, 0) << read.err;
  EXPECT_EQ(read.out, run_npq({"data", "show", "bfs", "--p", "0.5,0.25", "--seed", "7"}).out);
}

}  // namespace
}  // namespace npq::test
