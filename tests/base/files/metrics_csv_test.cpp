#include "npq/base/files/metrics_csv.h"

#include <gmock/gmock.h>

#include <vector>

#include "tests/support/error_text.h"
#include "tests/support/temporary_folder.h"

namespace npq {
namespace {

using test::error_text;
using test::file_content;
using test::put_file;
using test::TemporaryFolder;
using ::testing::HasSubstr;

std::string csv(const std::vector<std::string>& lines) { return metrics_csv(lines, "log"); }

TEST(MetricsCsv, HasOneRowPerLineAndAColumnForEveryKey) {
  EXPECT_EQ(
      csv({R"({"gradient_norm":2.5,"loss":0.5,"losses":{"hint/d":0.125,"output/pi":0.25},"step":0})",
           R"({"best":true,"scores":{"pi":0.75},"step":0,"val":0.75})",
           R"({"gradient_norm":1,"loss":0.25,"losses":{"hint/d":0.1},"step":10})"}),
      "step,gradient_norm,loss,losses/hint/d,losses/output/pi,best,scores/pi,val\n"
      "0,2.5,0.5,0.125,0.25,,,\n"
      "0,,,,,true,0.75,0.75\n"
      "10,1,0.25,0.1,,,,\n");
}

TEST(MetricsCsv, HasItsColumnsInTheOrderOfTheirAppearance) {
  EXPECT_EQ(csv({R"({"val":1,"step":2,"best":false})", R"({"best":true,"a":3})"}),
            "step,val,best,a\n2,1,false,\n,,true,3\n");
}

TEST(MetricsCsv, KeepsEveryDigit) {
  EXPECT_EQ(csv({R"({"step":9007199254740993,"loss":0.1,"seconds":1.7976931348623157e+308})"}),
            "step,loss,seconds\n9007199254740993,0.1,1.7976931348623157e+308\n");
}

TEST(MetricsCsv, QuotesWhatWouldBreakARow) {
  EXPECT_EQ(
      csv({R"({"step":1,"a,b":"say \"hi\"","c":"x\ny","d":null,"e":[1,2],"f":{},"g":"plain text"})"}),
      "step,\"a,b\",c,d,e,g\n1,\"say \"\"hi\"\"\",\"x\ny\",,\"[1,2]\",plain text\n");
}

TEST(MetricsCsv, OfNoLinesIsItsHeader) { EXPECT_EQ(csv({}), "step\n"); }

TEST(MetricsCsv, NamesTheLineThatIsDamaged) {
  const std::string good = R"({"step":1})";
  EXPECT_THAT(error_text([&] {
                csv({good, "{\"step\":"});
              }),
              AllOf(HasSubstr("line 2 of 'log' is malformed JSON at line 1, column 9"),
                    HasSubstr("; remove the line to go on")));
  EXPECT_THAT(error_text([&] { csv({"[1]"}); }),
              HasSubstr("line 1 of 'log' is a list instead of a JSON object"));
  EXPECT_THAT(error_text([&] {
                csv({good, R"({"a":{"b":1},"a/b":2})"});
              }),
              HasSubstr("line 2 of 'log' has 'a/b' twice"));
}

TEST(MetricsCsv, RefusesNestingThatWouldExhaustTheStack) {
  const auto nested = [](const std::string& open, int depth) {
    std::string line = R"({"step":)";
    for (int k = 0; k < depth; ++k) line += open;
    return line;
  };
  EXPECT_THAT(error_text([&] { csv({nested("[", 1'000'000)}); }), HasSubstr("more than 8 deep"));
  EXPECT_THAT(error_text([&] { csv({nested("{\"a\":", 1'000'000)}); }),
              HasSubstr("more than 8 deep"));
  EXPECT_EQ(csv({R"({"a":{"b":{"c":{"d":{"e":{"f":{"g":1}}}}}}})"}), "step,a/b/c/d/e/f/g\n,1\n");
}

TEST(MetricsCsv, RefusesATableThatGrowsWithEveryLine) {
  std::vector<std::string> lines;
  for (int k = 0; k < 999; ++k) lines.push_back("{\"" + std::to_string(k) + "\":1}");
  EXPECT_THAT(csv(lines), HasSubstr(",998\n"));
  lines.emplace_back(R"({"one more":1})");
  EXPECT_THAT(error_text([&] { csv(lines); }),
              HasSubstr("'log' has more than 1000 different keys by line 1000"));
}

TEST(MetricsCsv, IsDerivedFromTheLogWithoutItsTornLastLine) {
  const TemporaryFolder folder;
  put_file(folder / "metrics.jsonl", "{\"step\":0,\"loss\":2}\n{\"step\":10,\"lo");
  put_file(folder / "metrics.csv", "what was there before");
  write_metrics_csv(folder / "metrics.jsonl", folder / "metrics.csv");
  EXPECT_EQ(file_content(folder / "metrics.csv"), "step,loss\n0,2\n");
  EXPECT_EQ(test::entries_in(folder.path()), 2);
}

TEST(MetricsCsv, IsLeftAloneWhereTheLogIsMissingOrDamaged) {
  const TemporaryFolder folder;
  put_file(folder / "metrics.csv", "old");
  const auto write = [&] { write_metrics_csv(folder / "metrics.jsonl", folder / "metrics.csv"); };
  EXPECT_THAT(error_text(write), HasSubstr("metrics.jsonl': No such file or directory"));
  put_file(folder / "metrics.jsonl", "{\n");
  EXPECT_THAT(error_text(write), HasSubstr("line 1 of '"));
  EXPECT_EQ(file_content(folder / "metrics.csv"), "old");
}

}  // namespace
}  // namespace npq
