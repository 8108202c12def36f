// What is shown of the committed results is what the program makes of them.
#include <gtest/gtest.h>

#include "tests/house/shell.h"
#include "tests/support/program.h"
#include "tests/support/temporary_folder.h"

namespace npq::house {
namespace {

namespace fs = std::filesystem;

const fs::path kProject = NPQ_SOURCE_DIR;

/// The pages made of results/, README.md first: everything there but the results themselves.
std::vector<fs::path> pages() {
  std::vector<fs::path> found = {"README.md"};
  for (const auto& entry : fs::recursive_directory_iterator(kProject / "results"))
    if (entry.is_regular_file() && entry.path().extension() != ".json")
      found.push_back(fs::relative(entry.path(), kProject));
  return found;
}

class Results : public ::testing::Test {
 protected:
  Results() {
    fs::copy(kProject / "results", folder / "results", fs::copy_options::recursive);
    fs::copy(kProject / "README.md", folder / "README.md");
  }

  Answer make_pages() const {
    return shell("'" + (kProject / "tools/results.sh").string() + "' '" + test::npq_program() +
                 "' '" + folder.path().string() + "'");
  }

  const test::TemporaryFolder folder;
};

TEST_F(Results, AreShownAsTheProgramMakesThem) {
  for (const auto& page : pages())
    if (page != "README.md") fs::remove(folder / page.string());
  const auto answer = make_pages();
  ASSERT_EQ(answer.exit_code, 0) << answer.output;
  for (const auto& page : pages())
    EXPECT_EQ(test::file_content(folder / page.string()), test::file_content(kProject / page))
        << page << " is not what tools/results.sh makes; run it";
}

TEST_F(Results, ReplaceWhatWasWrittenByHand) {
  const auto path = folder / "README.md";
  auto page = test::file_content(path);
  const auto table = page.find("<!-- results/");
  ASSERT_NE(table, std::string::npos);
  const auto digit = page.find_first_of("0123456789", page.find("|---", table));
  page[digit] = page[digit] == '9' ? '1' : '9';
  test::put_file(path, page);
  ASSERT_EQ(make_pages().exit_code, 0);
  EXPECT_EQ(test::file_content(path), test::file_content(kProject / "README.md"));
}

}  // namespace
}  // namespace npq::house
