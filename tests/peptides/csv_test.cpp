#include "npq/peptides/csv.h"

#include <gmock/gmock.h>
#include <zlib.h>

#include <algorithm>
#include <memory>

#include "tests/support/error_text.h"
#include "tests/support/temporary_folder.h"

namespace npq::peptides {
namespace {

using npq::test::error_text;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// Gives out a text in pieces of so many bytes: where they end must not matter.
ByteSource pieces(const std::string& text, std::size_t size) {
  auto at = std::make_shared<std::size_t>(0);
  return [=](std::span<char> buffer) {
    const auto count = std::min({size, buffer.size(), text.size() - *at});
    std::copy_n(text.data() + *at, count, buffer.data());
    *at += count;
    return count;
  };
}

CsvReader reader(const std::string& text, std::size_t size = 3) {
  return {pieces(text, size), "t.csv"};
}

TEST(Csv, QuotedFieldsHoldCommasQuotesAndLineBreaks) {
  for (const std::size_t size : {1, 2, 7, 100}) {
    auto csv = reader("a,b\r\n\"1,\"\"x\"\"\n2\",3\n,\n", size);
    EXPECT_THAT(csv.next(), ElementsAre("a", "b"));
    EXPECT_THAT(csv.next(), ElementsAre("1,\"x\"\n2", "3"));
    EXPECT_THAT(csv.next(), ElementsAre("", ""));
    EXPECT_THAT(csv.next(), IsEmpty());
  }
}

TEST(Csv, LinesWithoutAnythingArePassedOverAndTheLastNeedsNoEnd) {
  auto csv = reader("\n\na\n\r\n\nb");
  EXPECT_THAT(csv.next(), ElementsAre("a"));
  EXPECT_THAT(csv.next(), ElementsAre("b"));
  EXPECT_EQ(csv.lines(), 2);
  EXPECT_THAT(csv.next(), IsEmpty());
}

TEST(Csv, OnlyWantedColumnsAreKeptAndNoMoreThanAsked) {
  auto csv = reader("12345,\"long, long\nlong\",6789");
  EXPECT_THAT(csv.next({true, false, true}, 4), ElementsAre("1234", "", "6789"));
}

TEST(Csv, AnOpenQuoteAtTheEndNamesTheRow) {
  auto csv = reader("a\n1\n\"2\n3");
  csv.next();
  csv.next();
  EXPECT_THAT(error_text([&] { csv.next(); }), HasSubstr("'t.csv', row 1: the text ends inside"));
}

TEST(Csv, TextBehindAClosingQuoteIsAnError) {
  auto csv = reader("\"a\"b,c\n");
  EXPECT_THAT(error_text([&] { csv.next(); }), HasSubstr("'t.csv', header: text follows"));
}

class TextFile : public ::testing::Test {
 protected:
  std::string gzipped(const std::string& text) {
    const auto path = (folder_ / "t.gz").string();
    const auto file = gzopen(path.c_str(), "wb");
    gzwrite(file, text.data(), static_cast<unsigned>(text.size()));
    gzclose(file);
    return path;
  }
  static std::string all(const std::string& path) {
    const auto source = open_text(path);
    std::string text;
    char buffer[1000];
    while (const auto count = source(buffer)) text.append(buffer, count);
    return text;
  }
  npq::test::TemporaryFolder folder_;
};

/// Words that do not pack well, so that a cut takes some away.
std::string varied(int words) {
  std::string text;
  for (int k = 0; k < words; ++k) text += std::to_string(k * 7919 % 10007) + ",";
  return text;
}

TEST_F(TextFile, IsUnpackedIfItIsGzipAndReadAsItIsIfNot) {
  EXPECT_EQ(all(gzipped("a,b\n")), "a,b\n");
  npq::test::put_file(folder_ / "t.csv", "a,b\n");
  EXPECT_EQ(all((folder_ / "t.csv").string()), "a,b\n");
}

TEST_F(TextFile, ATruncatedGzipIsAnErrorWhereverItIsCut) {
  const auto path = gzipped(varied(5000));
  const auto whole = npq::test::file_content(path);
  for (const std::size_t size : {whole.size() - 1, whole.size() - 9, whole.size() / 2}) {
    npq::test::put_file(path, whole.substr(0, size));
    EXPECT_THAT(error_text([&] { all(path); }), HasSubstr("it ends too early")) << size;
  }
}

TEST_F(TextFile, ADamagedGzipIsAnError) {
  const auto path = gzipped(varied(5000));
  auto whole = npq::test::file_content(path);
  whole[whole.size() / 2] ^= 0x55;
  npq::test::put_file(path, whole);
  EXPECT_THAT(error_text([&] { all(path); }), HasSubstr("cannot be unpacked"));
}

TEST_F(TextFile, AMissingFileIsNamed) {
  EXPECT_THAT(error_text([&] { open_text((folder_ / "none").string()); }), HasSubstr("none"));
}

}  // namespace
}  // namespace npq::peptides
