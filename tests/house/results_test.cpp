// What is shown of the committed results is what the program makes of them.
#include <gtest/gtest.h>

#include <map>

#include "tests/house/shell.h"
#include "tests/support/program.h"
#include "tests/support/temporary_folder.h"

namespace npq::house {
namespace {

namespace fs = std::filesystem;

const fs::path kProject = NPQ_SOURCE_DIR;

/// Pages written by hand, with tables between marks.
const std::vector<fs::path> kPagesWithTables = {"README.md", "docs/results.md"};

/// All pages made of results/: those with tables, and everything there but the results themselves.
std::vector<fs::path> pages() {
  auto found = kPagesWithTables;
  for (const auto& entry : fs::recursive_directory_iterator(kProject / "results"))
    if (entry.is_regular_file() && entry.path().extension() != ".json")
      found.push_back(fs::relative(entry.path(), kProject));
  return found;
}

class Results : public ::testing::Test {
 protected:
  Results() {
    fs::copy(kProject / "results", folder / "results", fs::copy_options::recursive);
    fs::create_directory(folder / "docs");
    for (const auto& page : kPagesWithTables) fs::copy(kProject / page, folder / page.string());
  }

  Answer make_pages() const {
    return shell("'" + (kProject / "tools/results.sh").string() + "' '" + test::npq_program() +
                 "' '" + folder.path().string() + "'");
  }

  const test::TemporaryFolder folder;
};

TEST_F(Results, AreShownAsTheProgramMakesThem) {
  for (const auto& page : pages())
    if (*page.begin() == "results") fs::remove(folder / page.string());
  const auto answer = make_pages();
  ASSERT_EQ(answer.exit_code, 0) << answer.output;
  for (const auto& page : pages())
    EXPECT_EQ(test::file_content(folder / page.string()), test::file_content(kProject / page))
        << page << " is not what tools/results.sh makes; run it";
}

/// Changes the first digit of every table between marks; returns how many there were.
int change_tables(const fs::path& path) {
  auto page = test::file_content(path);
  int tables = 0;
  for (auto at = page.find("<!-- results/"); at != std::string::npos;
       at = page.find("<!-- results/", at + 1), ++tables) {
    const auto digit = page.find_first_of("0123456789", page.find("|---", at));
    page[digit] = page[digit] == '9' ? '1' : '9';
  }
  test::put_file(path, page);
  return tables;
}

TEST_F(Results, ReplaceWhatWasWrittenByHand) {
  std::map<fs::path, int> tables;
  for (const auto& page : kPagesWithTables) tables[page] = change_tables(folder / page.string());
  EXPECT_EQ(tables.at("README.md"), 1);
  EXPECT_EQ(tables.at("docs/results.md"), 4);
  ASSERT_EQ(make_pages().exit_code, 0);
  for (const auto& page : kPagesWithTables)
    EXPECT_EQ(test::file_content(folder / page.string()), test::file_content(kProject / page));
}

// Each experiment's table is on a page, or its numbers would be seen by nobody.
TEST(ResultPages, HaveTheTableOfEveryExperiment) {
  const auto page = test::file_content(kProject / "docs/results.md");
  for (const auto& entry : fs::directory_iterator(kProject / "results"))
    if (entry.is_directory())
      EXPECT_NE(page.find("<!-- results/" + entry.path().filename().string() + ".md -->"),
                std::string::npos)
          << entry.path();
}

}  // namespace
}  // namespace npq::house
