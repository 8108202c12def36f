// Bad input: every kind is one sentence that names the file and the row, and nothing is written.
#include "npq/peptides/import.h"

#include <gmock/gmock.h>

#include "npq/peptides/chemistry.h"
#include "npq/peptides/targets.h"
#include "tests/support/error_text.h"
#include "tests/support/temporary_folder.h"

namespace npq::peptides {
namespace {

using npq::test::error_text;
using npq::test::put_file;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr const char* kSplit = R"({"train": [0, 1], "val": [2], "test": [3]})";

class Import : public ::testing::Test {
 protected:
  /// Four rows, some SMILES given, all targets different.
  static std::string table(std::vector<std::string> smiles = {},
                           const std::string& other_target = "") {
    smiles.resize(4, "CCO");
    std::string text = "SMILES,extra";
    for (const auto name : kTargetNames) text += "," + std::string(name);
    text += "\n";
    for (int row = 0; row < 4; ++row) {
      text += "\"" + smiles[row] + "\",x";
      for (int t = 0; t < kTargets; ++t)
        text += "," + (row == 2 && t == 3 && !other_target.empty()
                           ? (other_target == "empty" ? "" : other_target)
                           : std::to_string(row * row + t));
      text += "\n";
    }
    return text;
  }
  Imported run(const std::string& table, const std::string& split = kSplit, bool skip_bad = false) {
    put_file(folder_ / "t.csv", table);
    put_file(folder_ / "s.json", split);
    return import_table(
        {.table = folder_ / "t.csv", .splits = folder_ / "s.json", .skip_bad = skip_bad});
  }
  std::string error(const std::string& table, const std::string& split = kSplit) {
    return error_text([&] { run(table, split); });
  }
  std::string at_row(int row) {
    return "'" + (folder_ / "t.csv").string() + "', row " + std::to_string(row);
  }

  npq::test::TemporaryFolder folder_;
};

TEST_F(Import, ReadsATableOfAnyColumnOrderAndCase) {
  const auto imported = run(table({"C", "CC"}));
  EXPECT_THAT(imported.warnings, ::testing::IsEmpty());
  EXPECT_EQ(imported.dataset.graphs[0].nodes(), 1);
  EXPECT_EQ(imported.dataset.graphs[1].edges.size(), 2u);
  EXPECT_EQ(imported.dataset.targets[3][2], 11);
}

TEST_F(Import, ASmilesThatCannotBeParsed) {
  for (const auto* smiles : {"C1CC", "CC(C", "[Xx]", "hello", "nan", "   "})
    EXPECT_THAT(error(table({"C", smiles})),
                AllOf(StartsWith(at_row(1)), HasSubstr("cannot be parsed")))
        << smiles;
}

TEST_F(Import, ALongSmilesIsShownByItsBeginning) {
  const auto text = error(table({std::string(300, 'C') + "("}));
  EXPECT_THAT(text, AllOf(StartsWith(at_row(0)), HasSubstr("cannot be parsed")));
  EXPECT_LT(text.size(), 250u + folder_.path().string().size());
}

TEST_F(Import, AValenceOrAromaticityErrorIsToldInRdkitsWords) {
  EXPECT_THAT(error(table({"C", "C", "C(C)(C)(C)(C)C"})),
              AllOf(StartsWith(at_row(2)), HasSubstr("valence")));
  EXPECT_THAT(error(table({"c1cccc1"})), AllOf(StartsWith(at_row(0)), HasSubstr("kekulize")));
}

TEST_F(Import, AnEmptySmilesHasNoAtoms) {
  EXPECT_THAT(error(table({""})), AllOf(StartsWith(at_row(0)), HasSubstr("no atoms")));
}

TEST_F(Import, TextBehindABlankIsAName) {
  EXPECT_EQ(run(table({"CC ethane"})).dataset.graphs[0].nodes(), 2);
}

TEST_F(Import, AMissingColumnListsThoseThereAre) {
  EXPECT_THAT(error("smiles,length_a\nC,1\n"),
              AllOf(HasSubstr("no column 'Inertia_mass_a'"), HasSubstr("smiles, length_a")));
  EXPECT_THAT(error("a,b\n"), HasSubstr("no column 'smiles'; its columns are: a, b"));
  EXPECT_THAT(error(""), HasSubstr("its columns are: none"));
}

TEST_F(Import, ATargetThatIsNoFiniteNumber) {
  for (const auto* target : {"empty", "x", "nan", "inf", "1e999", "1 2"})
    EXPECT_THAT(error(table({}, target)),
                AllOf(StartsWith(at_row(2)), HasSubstr("'Inertia_valence_a'")))
        << target;
}

TEST_F(Import, AColumnWithoutVarianceIsNamed) {
  std::string text = "smiles";
  for (const auto name : kTargetNames) text += "," + std::string(name);
  for (int row = 0; row < 4; ++row) {
    text += "\nC";
    for (int t = 0; t < kTargets; ++t) text += t == 7 ? ",1" : "," + std::to_string(row);
  }
  EXPECT_THAT(error(text), HasSubstr("column 'length_b' has the same number in all rows"));
}

TEST_F(Import, ARowWithTooFewFields) {
  EXPECT_THAT(error(table() + "C,1\n"), AllOf(StartsWith(at_row(4)), HasSubstr("2 fields")));
}

TEST_F(Import, AHeaderAlone) {
  EXPECT_THAT(error(table().substr(0, table().find('\n') + 1)), HasSubstr("no rows"));
}

TEST_F(Import, SplitsThatDoNotFitTheRows) {
  EXPECT_THAT(error(table(), R"({"train": [0, 9], "val": [1], "test": [2]})"),
              HasSubstr("names row 9, but there are 4 rows"));
  EXPECT_THAT(error(table(), R"({"train": [0, 0], "val": [1], "test": [2]})"),
              HasSubstr("row 0 twice"));
  EXPECT_THAT(error(table(), R"({"train": [0], "val": [0], "test": [2]})"),
              HasSubstr("row 0 is in 'train' and in 'val'"));
  const auto imported = run(table(), R"({"train": [0], "val": [], "test": [2]})");
  EXPECT_THAT(imported.warnings, ElementsAre(HasSubstr("2 of 4 rows are in no part")));
}

TEST_F(Import, TooLargeMolecules) {
  EXPECT_THAT(error(table({std::string(kLongestSmiles + 1, 'C')})),
              AllOf(StartsWith(at_row(0)), HasSubstr("more than 100000 characters")));
}

TEST_F(Import, SkipBadLeavesRowsOutAndCountsThem) {
  const auto imported = run(table({"CC", "C1", "CCC"}, "x"), kSplit, /*skip_bad=*/true);
  const auto& dataset = imported.dataset;
  ASSERT_EQ(dataset.graphs.size(), 2u);  // rows 0 and 3
  EXPECT_THAT(dataset.split[Part::Train], ElementsAre(0));
  EXPECT_TRUE(dataset.split[Part::Val].empty());
  EXPECT_THAT(dataset.split[Part::Test], ElementsAre(1));
  EXPECT_THAT(imported.warnings,
              ElementsAre(AllOf(HasSubstr("2 of 4 rows are left out"), HasSubstr("row 1"))));
}

TEST_F(Import, TheFirstBadRowIsToldWhateverTheThreads) {
  for (const int threads : {1, 3}) {
    put_file(folder_ / "t.csv", table({"C", "C1", "C2", "C3"}));
    put_file(folder_ / "s.json", kSplit);
    EXPECT_THAT(
        error_text([&] {
          import_table(
              {.table = folder_ / "t.csv", .splits = folder_ / "s.json", .threads = threads});
        }),
        StartsWith(at_row(1)));
  }
}

TEST(ComparedWithPublished, OnlyATableOfItsSizeIsCompared) {
  Dataset dataset;
  dataset.graphs.resize(15'535);
  EXPECT_EQ(compare_with_published(dataset).size(), 4u);
  dataset.graphs.resize(15'534);
  EXPECT_TRUE(compare_with_published(dataset).empty());
}

}  // namespace
}  // namespace npq::peptides
