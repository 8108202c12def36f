// docs/architecture.md follows one batch through the code: every file once, with its functions.
#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <regex>
#include <set>

#include "tests/house/page.h"
#include "tests/support/temporary_folder.h"

namespace npq::house {
namespace {

/// "7. `app/file.cpp`: `first`, `Class::second`. What happens there."
struct Stop {
  int number;
  std::string file;
  std::vector<std::string> functions;
};

std::vector<Stop> stops_of(const std::string& page) {
  const std::regex stop(R"(^([0-9]+)\. `((?:app|npq)/[a-z0-9_/]+\.(?:cpp|h))`: ([`\w:, ]+)\.)");
  const std::regex name("`([^`]+)`");
  std::vector<Stop> stops;
  for (const auto& line : lines_of(page)) {
    std::smatch match;
    if (!std::regex_search(line, match, stop)) continue;
    Stop next{std::stoi(match[1]), match[2], {}};
    const std::string names = match[3];
    for (std::sregex_iterator found(names.begin(), names.end(), name), end; found != end; ++found)
      next.functions.push_back((*found)[1]);
    stops.push_back(next);
  }
  return stops;
}

std::vector<Stop> the_stops() {
  return stops_of(test::file_content(NPQ_SOURCE_DIR "/docs/architecture.md"));
}

/// Whether `function` is defined or declared on a line of its own, not only called: its type stands
/// before its name, or the name begins the line.
bool has_function(const std::string& source, const std::string& function) {
  const std::regex of_type("^ *(?:[\\w:<>,&*]+ +[&*]*)+" + function + "\\(");
  const std::regex first("^" + function + "\\("), no_type("^ *(?:return|else|throw|new|case)\\b");
  return std::ranges::any_of(lines_of(source), [&](const std::string& line) {
    return std::regex_search(line, first) ||
           (std::regex_search(line, of_type) && !std::regex_search(line, no_type));
  });
}

TEST(OneBatch, IsFollowedFromTheCommandLineToTheUpdateInOneCount) {
  const auto stops = the_stops();
  ASSERT_GT(stops.size(), 30u);
  EXPECT_EQ(stops.front().file, "app/main.cpp");
  for (std::size_t k = 0; k < stops.size(); ++k)
    EXPECT_EQ(stops[k].number, static_cast<int>(k) + 1);
}

TEST(OneBatch, OpensNoFileTwice) {
  std::set<std::string> opened;
  for (const auto& stop : the_stops())
    EXPECT_TRUE(opened.insert(stop.file).second) << stop.number << ": " << stop.file;
}

TEST(OneBatch, NamesFilesAndFunctionsThatAreThere) {
  for (const auto& stop : the_stops()) {
    const std::filesystem::path path = std::string(NPQ_SOURCE_DIR "/") + stop.file;
    ASSERT_TRUE(exists(path)) << stop.number << ": " << path;
    const auto source = test::file_content(path);
    EXPECT_FALSE(stop.functions.empty()) << stop.number;
    for (const auto& function : stop.functions)
      EXPECT_TRUE(has_function(source, function))
          << stop.number << ": " << stop.file << " has no " << function;
  }
}

TEST(OneBatch, FindsAFunctionWhereItIsNotOnlyCalled) {
  EXPECT_TRUE(has_function("namespace a {\nint main(int n) {\n", "main"));
  EXPECT_TRUE(has_function("A::A(int n)\n    : n_(n) {}\n", "A::A"));
  EXPECT_TRUE(has_function("  static INLINE std::vector<int> step(int n) {\n", "step"));
  EXPECT_FALSE(has_function("  step(1);\n  const auto x = step(2);\n  return step(3);\n", "step"));
}

TEST(OneBatch, IsReadFromNumberedLinesAlone) {
  const auto stops = stops_of(
      "1. `app/a.cpp`: `main`, `A::b`. Text with `other.cpp`.\n2. `docs/a.md`: none.\n`npq/b.h`\n");
  ASSERT_EQ(stops.size(), 1u);
  EXPECT_EQ(stops[0].number, 1);
  EXPECT_EQ(stops[0].file, "app/a.cpp");
  EXPECT_THAT(stops[0].functions, ::testing::ElementsAre("main", "A::b"));
}

}  // namespace
}  // namespace npq::house
