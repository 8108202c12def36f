// Every npq command of the pages runs, and prints what the page says.
#include <gmock/gmock.h>

#include <algorithm>

#include "tests/house/page.h"
#include "tests/house/shell.h"
#include "tests/support/program.h"
#include "tests/support/temporary_folder.h"

namespace npq::house {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// ./run ARGS and npq ARGS are the same once everything is built: the program of this build.
std::string with_this_program(const std::string& command) {
  return std::string("'") + test::npq_program() + "'" + command.substr(command.find(' '));
}

class Page : public ::testing::TestWithParam<const char*> {};

TEST_P(Page, CommandsRunAndPrintWhatIsShown) {
  const auto page = test::file_content(std::string(NPQ_SOURCE_DIR "/") + GetParam());
  const test::TemporaryFolder folder;
  for (const auto* name : {"examples", "results"})
    std::filesystem::create_directory_symlink(std::string(NPQ_SOURCE_DIR "/") + name,
                                              folder / name);
  int commands = 0;
  for (const auto& example : parse_page(page)) {
    std::string printed;
    for (const auto& command : example.commands) {
      ++commands;
      // Progress goes to standard error and is no part of what a page shows.
      const auto answer = shell("cd '" + folder.path().string() + "' && exec 2>stderr.txt\n" +
                                with_this_program(command));
      EXPECT_EQ(answer.exit_code, 0) << GetParam() << ":" << example.line << ": " << command << "\n"
                                     << test::file_content(folder / "stderr.txt");
      printed += answer.output;
    }
    if (example.shown.empty()) continue;
    EXPECT_TRUE(agrees(example.shown, lines_of(printed)))
        << GetParam() << ":" << example.line << " prints\n"
        << printed;
  }
  EXPECT_GT(commands, 0);
}

#ifdef NPQ_WITH_ENGINE
constexpr const char* kPages[] = {"docs/data.md", "docs/results.md", "README.md"};
#else  // what trains is not there
constexpr const char* kPages[] = {"docs/data.md"};
#endif
INSTANTIATE_TEST_SUITE_P(All, Page, ::testing::ValuesIn(kPages),
                         [](const auto& info) { return "Page" + std::to_string(info.index + 1); });

/// The longest of the tables that are made of results/, in rows below its heading.
std::size_t most_rows(const std::vector<std::string>& page) {
  std::size_t most = 0, rows = 0;
  for (const auto& line : page) {
    if (line.starts_with("<!-- results/")) rows = 0;
    if (line.starts_with("|")) ++rows;
    if (line == "<!-- end -->") most = std::max(most, rows - 2);
  }
  return most;
}

TEST(Readme, IsShort) {
  const auto page = lines_of(test::file_content(NPQ_SOURCE_DIR "/README.md"));
  EXPECT_LE(page.size(), 150u);
  EXPECT_GE(most_rows(page), 1u);
  EXPECT_LE(most_rows(page), 6u);
}

TEST(PageReader, TakesCommandsFromShellBlocksAndOutputFromTheTextBlockBehind) {
  const auto examples = parse_page(
      "# Title\n```sh\n./run  # builds\n./test fast\nnpq data list \\\n  "
      "--json\n```\n\n```text\nfirst\n...\n```\n"
      "```cpp\nnpq x\n```\n```sh\n./run info\n```\nwords\n```text\nnot an output\n```\n");
  ASSERT_EQ(examples.size(), 2u);
  EXPECT_THAT(examples[0].commands, ElementsAre("npq data list \\\n  --json"));
  EXPECT_THAT(examples[0].shown, ElementsAre("first", "..."));
  EXPECT_THAT(examples[1].commands, ElementsAre("./run info"));
  EXPECT_THAT(examples[1].shown, IsEmpty());
}

TEST(PageReader, DotsStandForAnyLines) {
  EXPECT_TRUE(agrees({"a", "...", "d"}, {"a", "b", "c", "d"}));
  EXPECT_TRUE(agrees({"a", "...", "d"}, {"a", "d"}));
  EXPECT_FALSE(agrees({"a", "...", "d"}, {"a", "b", "c"}));
  EXPECT_FALSE(agrees({"a"}, {"a", "b"}));
}

}  // namespace
}  // namespace npq::house
