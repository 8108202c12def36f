// docs/equations.md is complete and true: every equation has one row, and the files and tests it
// names are there.
#include <gmock/gmock.h>

#include <filesystem>
#include <regex>
#include <set>

#include "tests/house/page.h"
#include "tests/support/temporary_folder.h"

namespace npq::house {
namespace {

constexpr int kEquations = 129;  // numbered rows of the paper

std::string page() { return test::file_content(NPQ_SOURCE_DIR "/docs/equations.md"); }

std::vector<std::string> all_matches(const std::string& text, const char* pattern) {
  const std::regex regex(pattern);
  std::vector<std::string> found;
  for (std::sregex_iterator match(text.begin(), text.end(), regex), end; match != end; ++match)
    found.push_back((*match)[1]);
  return found;
}

/// Every Suite.Name of every test file.
std::set<std::string> all_tests() {
  const std::regex regex(R"(TEST(_[FP])?\(\s*(\w+),\s*(\w+)\))");
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(NPQ_TESTS_DIR)) {
    if (!entry.path().string().ends_with("_test.cpp")) continue;
    const auto text = test::file_content(entry.path());
    for (std::sregex_iterator match(text.begin(), text.end(), regex), end; match != end; ++match)
      names.insert((*match)[2].str() + "." + (*match)[3].str());
  }
  return names;
}

/// "Suite.Name", "Suite.*", "Suite.Begin..." or "...Name".
bool names_a_test(const std::string& reference, const std::set<std::string>& tests) {
  const std::size_t open = reference.ends_with("*") ? 1 : reference.ends_with("...") ? 3 : 0;
  const auto begin = reference.substr(0, reference.size() - open);
  for (const auto& test : tests) {  // "...Name" without two of its dots is ".Name"
    if (reference.starts_with("...") && test.ends_with(reference.substr(2))) return true;
    if (open > 0 ? test.starts_with(begin) : test == reference) return true;
  }
  return false;
}

TEST(EquationMap, HasEveryEquationOfThePaperOnce) {
  std::vector<int> rows(kEquations + 1);
  for (const auto& line : lines_of(page())) {
    std::smatch cell;
    if (!std::regex_search(line, cell, std::regex(R"(^\| ([0-9][0-9, -]*) \|)"))) continue;
    for (const auto& range : all_matches(cell[1], "([0-9]+(-[0-9]+)?)")) {
      const auto dash = range.find('-');
      const int first = std::stoi(range);
      const int last = dash == range.npos ? first : std::stoi(range.substr(dash + 1));
      ASSERT_LE(last, kEquations) << line;
      for (int number = first; number <= last; ++number) ++rows[number];
    }
  }
  for (int number = 1; number <= kEquations; ++number)
    EXPECT_EQ(rows[number], 1) << "equation " << number;
}

TEST(EquationMap, NamesFilesThatExist) {
  const auto files = all_matches(page(), R"(`([a-z_/]+(/|\.h|\.cpp))`)");
  EXPECT_GT(files.size(), 20u);
  for (const auto& file : files) {
    const std::filesystem::path root(NPQ_SOURCE_DIR);
    EXPECT_TRUE(exists(root / "npq" / file) || exists(root / "tests" / file) || exists(root / file))
        << file;
  }
}

TEST(EquationMap, NamesFunctionsThatTheirFilesHave) {
  const std::regex regex(R"(`([a-z_/]+\.(cpp|h))`, `([a-z_]+)`)");
  const auto text = page();
  int functions = 0;
  for (std::sregex_iterator match(text.begin(), text.end(), regex), end; match != end; ++match) {
    ++functions;
    const auto source = test::file_content(NPQ_SOURCE_DIR "/npq/" + (*match)[1].str());
    EXPECT_THAT(source, ::testing::HasSubstr((*match)[3].str() + "(")) << (*match)[1];
  }
  EXPECT_GT(functions, 8);
}

TEST(EquationMap, NamesTestsThatExist) {
  const auto tests = all_tests();
  const auto named = all_matches(page(), R"(`((\.\.\.[A-Z]\w+|[A-Z]\w+\.(\*|\w+(\.\.\.)?)))`)");
  EXPECT_GT(named.size(), 20u);
  for (const auto& reference : named) EXPECT_TRUE(names_a_test(reference, tests)) << reference;
}

TEST(EquationMap, WouldSeeATestThatIsMissing) {
  const std::set<std::string> tests = {"Queue.PopsTheLargest"};
  EXPECT_TRUE(names_a_test("Queue.*", tests));
  EXPECT_TRUE(names_a_test("Queue.Pops...", tests));
  EXPECT_TRUE(names_a_test("...PopsTheLargest", tests));
  EXPECT_FALSE(names_a_test("Queue.Pops", tests));
  EXPECT_FALSE(names_a_test("Stack.*", tests));
  EXPECT_FALSE(names_a_test("Que.*", tests));
}

}  // namespace
}  // namespace npq::house
