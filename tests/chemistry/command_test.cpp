// npq peptides generate and import, as a user calls them.
#include <gmock/gmock.h>
#include <zlib.h>

#include <algorithm>

#include "npq/peptides/targets.h"
#include "tests/support/golden_folder.h"
#include "tests/support/run_command.h"

namespace npq::test {
namespace {

using peptides::kTargetNames, peptides::kTargets;
using test::file_content;
using test::golden_file;
using test::put_file;
using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr const char* kSplit = R"({"train": [0, 1], "val": [2], "test": [3]})";

class PeptidesCommand : public ::testing::Test {
 protected:
  std::string at(const std::string& name) const { return (folder_ / name).string(); }
  CommandAnswer generate(const std::string& name) const {
    return run_npq({"peptides", "generate", "--count", "30", "--seed", "2", "--out", at(name)});
  }
  CommandAnswer import(const std::string& table, const std::string& split) const {
    put_file(folder_ / "t.csv", table);
    put_file(folder_ / "s", split);
    return run_npq({"peptides", "import", at("t.csv"), "--splits", at("s"), "--out", at("data")});
  }

  /// Four rows of ethanol whose row 2 holds another SMILES; target number `column` of row 2 is
  /// another text, or in all rows the same.
  static std::string table(const std::string& smiles = "CCO", int column = -1,
                           const std::string& target = "") {
    std::string text = "smiles";
    for (const auto name : kTargetNames) text += "," + std::string(name);
    for (int row = 0; row < 4; ++row) {
      text += row == 2 ? "\n\"" + smiles + "\"" : "\nCCO";
      for (int t = 0; t < kTargets; ++t) {
        const bool other = t == column && (row == 2 || target == "same");
        text += "," + (other ? target == "same" ? "7" : target : std::to_string(row * row + t));
      }
    }
    return text + "\n";
  }
  static std::string gzipped(const std::string& text) {
    const test::TemporaryFolder folder;
    const auto file = gzopen((folder / "t").c_str(), "wb");
    gzwrite(file, text.data(), static_cast<unsigned>(text.size()));
    gzclose(file);
    return file_content(folder / "t");
  }

  test::TemporaryFolder folder_;
};

TEST_F(PeptidesCommand, TheSameSeedGeneratesTheSameFile) {
  const auto made = generate("data");
  EXPECT_EQ(made.exit_code, 0) << made.err;
  EXPECT_THAT(made.out, AllOf(HasSubstr("30 molecules"), HasSubstr("train 21, val 4, test 5")));
  EXPECT_EQ(generate("again").exit_code, 0);
  EXPECT_TRUE(file_content(folder_ / "data/peptides.safetensors") ==
              file_content(folder_ / "again/peptides.safetensors"));
}

TEST_F(PeptidesCommand, ADataSetIsNotOverwritten) {
  EXPECT_EQ(generate("data").exit_code, 0);
  const auto before = file_content(folder_ / "data/peptides.safetensors");
  const auto refused = import(table(), kSplit);
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_THAT(refused.err, HasSubstr("already holds a data set"));
  EXPECT_TRUE(file_content(folder_ / "data/peptides.safetensors") == before);
}

TEST_F(PeptidesCommand, ImportsTheLookAlikes) {
  const auto answer =
      run_npq({"peptides", "import",
               golden_file("peptides/files/peptide_structure_dataset.csv.gz").string(), "--splits",
               golden_file("peptides/files/split_protocol4.pickle").string(), "--out", at("data")});
  EXPECT_EQ(answer.exit_code, 0) << answer.err;
  EXPECT_THAT(answer.out, HasSubstr("12 molecules"));
}

TEST_F(PeptidesCommand, EveryBadInputIsOneSentenceAndNothingIsWritten) {
  const struct {
    const char* what;
    std::string table, split, sentence;
  } cases[] = {
      {"syntax", table("C1CC"), kSplit, "row 2: the SMILES 'C1CC' cannot be parsed"},
      {"element", table("[Xx]"), kSplit, "row 2: the SMILES '[Xx]' cannot be parsed"},
      {"nan", table("nan"), kSplit, "row 2: the SMILES 'nan' cannot be parsed"},
      {"valence", table("C(C)(C)(C)(C)C"), kSplit, "row 2: the SMILES 'C(C)(C)(C)(C)C' is not a"},
      {"aromaticity", table("c1cccc1"), kSplit, "row 2: the SMILES 'c1cccc1' is not a molecule"},
      {"no atoms", table(""), kSplit, "row 2: the SMILES '' has no atoms"},
      {"long", table(std::string(100'001, 'C')), kSplit, "more than 100000 characters"},
      {"no column", "a,smiles\n1,C\n", kSplit, "no column 'Inertia_mass_a'; its columns are: a, s"},
      {"empty target", table("C", 3, ""), kSplit, "row 2: column 'Inertia_valence_a' is empty"},
      {"no number", table("C", 3, "x"), kSplit, "row 2: column 'Inertia_valence_a' holds 'x'"},
      {"NaN", table("C", 3, "NaN"), kSplit, "row 2: column 'Inertia_valence_a' holds 'NaN'"},
      {"Inf", table("C", 3, "-inf"), kSplit, "row 2: column 'Inertia_valence_a' holds '-inf'"},
      {"no variance", table("C", 7, "same"), kSplit, "column 'length_b' has the same number"},
      {"out of range", table(), R"({"train": [4], "val": [], "test": []})", "names row 4, but"},
      {"repeated", table(), R"({"train": [1, 1], "val": [], "test": []})", "names row 1 twice"},
      {"in two", table(), R"({"train": [1], "val": [], "test": [1]})", "in 'train' and in 'test'"},
      {"foreign global", table(), "cos\nsystem\n(S'true'\ntR.", "os.system"},
      {"cut gzip", gzipped(table()).substr(0, 60), kSplit, "it ends too early"},
  };
  for (const auto& [what, table, split, sentence] : cases) {
    SCOPED_TRACE(what);
    const auto answer = import(table, split);
    EXPECT_EQ(answer.exit_code, 1);
    EXPECT_EQ(answer.out, "");
    EXPECT_THAT(answer.err, HasSubstr(sentence));
    EXPECT_EQ(std::count(answer.err.begin(), answer.err.end(), '\n'), 1) << answer.err;
    EXPECT_FALSE(std::filesystem::exists(folder_ / "data"));
  }
}

TEST_F(PeptidesCommand, WhatIsOddButUsableIsImported) {
  for (const auto& [table, split, warning] :
       {std::tuple(table("CC ethane"), kSplit, ""), std::tuple(gzipped(table()), kSplit, ""),
        std::tuple(table(), R"({"train": [0], "valid": [1], "test": []})",
                   "2 of 4 rows are in no part")}) {
    const auto answer = import(table, split);
    EXPECT_EQ(answer.exit_code, 0);
    EXPECT_THAT(answer.err, HasSubstr(warning));
    EXPECT_THAT(answer.out, HasSubstr("4 molecules"));
    std::filesystem::remove_all(folder_ / "data");
  }
}

}  // namespace
}  // namespace npq::test
