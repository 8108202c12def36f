// The style sheets and scripts of the pages, as a linter reads them: nothing undefined, nothing
// unused, no form that is easily misread. That they run without an error, browser_test.cpp says.
#include <gmock/gmock.h>

#include <map>
#include <regex>
#include <set>

#include "npq/report/pages/embedded.h"
#include "tests/support/temporary_folder.h"

namespace npq::report {
namespace {

namespace fs = std::filesystem;
using ::testing::IsEmpty;
using Names = std::set<std::string>;

/// All first groups of `pattern`, or whole matches where it has none.
Names matches(const std::string& text, const std::string& pattern) {
  const std::regex regex(pattern);
  Names found;
  for (std::sregex_iterator it(text.begin(), text.end(), regex), end; it != end; ++it)
    found.insert((*it)[it->size() > 1 ? 1 : 0]);
  return found;
}

/// The text of all files below npq/report that end so.
std::string all_of(const std::string& extension) {
  std::string text;
  for (const auto& entry : fs::recursive_directory_iterator(NPQ_SOURCE_DIR "/npq/report"))
    if (entry.path().extension() == extension) text += test::file_content(entry.path());
  return text;
}

std::string without_comments(const std::string& text) {
  static const std::regex comment(R"(/\*[^]*?\*/|(^|\s)//[^\n]*)");
  return std::regex_replace(text, comment, "$1");
}

std::string styles() { return without_comments(all_of(".css")); }
std::string scripts() { return without_comments(all_of(".js")); }

/// Selectors alone: what stands before a brace.
std::string selectors() { return std::regex_replace(styles(), std::regex(R"(\{[^{}]*\})"), "{}"); }

Names missing_in(const std::string& text, const Names& names) {
  Names missing;
  for (const auto& name : names)
    if (!std::regex_search(text, std::regex("(^|[^\\w-])" + name + "($|[^\\w-])")))
      missing.insert(name);
  return missing;
}

TEST(StyleSheets, EveryRuleIsClosed) {
  const auto text = styles();
  EXPECT_EQ(std::ranges::count(text, '{'), std::ranges::count(text, '}'));
  EXPECT_THAT(matches(text, R"(\{[^{};]*[^{};\s]\s*[\w-]+\s*:[^{};]*:[^{};]*\})"), IsEmpty());
}

TEST(StyleSheets, EveryColourThatIsUsedIsDefinedAndTheOtherWayRound) {
  const auto text = styles(), everywhere = text + all_of(".cpp") + all_of(".js");
  const auto defined = matches(everywhere, R"((--[a-z][\w-]*)\s*:)");
  const auto used = matches(everywhere, R"(var\((--[\w-]+))");
  EXPECT_THAT(missing_in(testing::PrintToString(defined), used), IsEmpty());
  EXPECT_THAT(missing_in(testing::PrintToString(used), defined), IsEmpty());
}

TEST(StyleSheets, EveryClassAndIdIsOnAPage) {
  const auto pages = all_of(".cpp") + all_of(".js");
  auto missing = missing_in(pages, matches(selectors(), R"([.#]([a-zA-Z][\w-]*))"));
  std::erase_if(missing, [](const auto& name) {  // put together from a letter and a number
    return std::regex_match(name, std::regex("[cd][0-9]+"));
  });
  EXPECT_THAT(missing, IsEmpty());
}

TEST(Scripts, EveryIdThatIsSoughtIsOnAPage) {
  const auto ids = matches(all_of(".cpp"), R"re(id=\\?"([\w-]+))re");
  EXPECT_THAT(missing_in(testing::PrintToString(ids), matches(scripts(), R"(\$\('([\w-]+)'\))")),
              IsEmpty());
}

TEST(Scripts, CompareWithThreeSignsAndDeclareWithConstOrLet) {
  EXPECT_THAT(matches(scripts(), R"([^=!<>]==[^=]|!=[^=]|\bvar\s+\w+|\beval\(|console\.\w+)"),
              IsEmpty());
}

TEST(Scripts, UseWhatTheyDeclare) {
  const auto text = scripts();
  for (const auto& name : matches(text, R"(\b(?:const|let|function)\s+(\$|\w+))")) {
    const auto escaped = name == "$" ? "\\$" : name;
    const std::regex word("(^|[^\\w$.])" + escaped + "(?![\\w$])");
    const auto count =
        std::distance(std::sregex_iterator(text.begin(), text.end(), word), std::sregex_iterator());
    EXPECT_GT(count, 1) << name;
  }
}

TEST(Scripts, AreStrict) {
  EXPECT_NE(page_script().find("'use strict';"), std::string_view::npos);
  EXPECT_NE(trace_script().find("'use strict';"), std::string::npos);
}

}  // namespace
}  // namespace npq::report
