#include <gmock/gmock.h>

#include "npq/peptides/chemistry.h"
#include "npq/peptides/generator.h"
#include "npq/peptides/import.h"
#include "tests/support/error_text.h"
#include "tests/support/golden_folder.h"

namespace npq::peptides {
namespace {

using npq::test::error_text;
using npq::test::golden_file;
using ::testing::HasSubstr;

TEST(WithoutRdkit, EveryUseSaysHowToGetIt) {
  EXPECT_EQ(chemistry_version(), "");
  const auto advice = HasSubstr("apt-get install librdkit-dev");
  EXPECT_THAT(error_text([] { graph_of_smiles("C"); }), advice);
  EXPECT_THAT(error_text([] { chain_of_sequence("AA"); }), advice);
  EXPECT_THAT(error_text([] { weights_of_smiles("C"); }), advice);
  EXPECT_THAT(error_text([] { generate({.count = 10}); }), advice);
  const auto table = golden_file("peptides/files/peptide_structure_dataset.csv.gz"),
             splits = golden_file("peptides/files/split_protocol4.pickle");
  EXPECT_THAT(error_text([&] { import_table({.table = table, .splits = splits}); }), advice);
}

}  // namespace
}  // namespace npq::peptides
