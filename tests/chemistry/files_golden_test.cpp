// Look-alikes of the published files against expected.json.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "npq/base/files/mapped_file.h"
#include "npq/peptides/import.h"
#include "npq/peptides/torch_file.h"
#include "tests/support/golden_folder.h"
#include "tests/support/temporary_folder.h"

namespace npq::peptides {
namespace {

using nlohmann::json;

std::filesystem::path file(const std::string& name) {
  return npq::test::golden_file("peptides/files/" + name);
}

json expected() { return json::parse(npq::test::file_content(file("expected.json"))); }

template <class Rows>
int sum_of(const Rows& rows) {
  int sum = 0;
  for (const auto& row : rows)
    for (const int feature : row) sum += feature;
  return sum;
}

void expect_graph(const Graph& graph, const json& wanted) {
  EXPECT_EQ(graph.nodes(), wanted.at("nodes"));
  EXPECT_EQ(graph.edges.size(), wanted.at("edges"));
  EXPECT_EQ(sum_of(graph.atoms), wanted.at("x_sum"));
  EXPECT_EQ(sum_of(graph.bonds), wanted.at("edge_attr_sum"));
}

TEST(FilesGolden, TheTableAndEveryFormOfTheSplitImportToWhatIsExpected) {
  const auto want = expected();
  for (const auto* form : {"protocol2", "protocol3", "protocol4", "protocol5", "int32", "lists"}) {
    SCOPED_TRACE(form);
    const auto imported = import_table({.table = file("peptide_structure_dataset.csv.gz"),
                                        .splits = file(fmt::format("split_{}.pickle", form))});
    const auto& dataset = imported.dataset;
    EXPECT_THAT(imported.warnings, ::testing::IsEmpty());
    for (std::size_t part = 0; part < 3; ++part)
      EXPECT_EQ(json(dataset.split.parts[part]), want.at("split").at(kPartNames[part]));
    ASSERT_EQ(dataset.graphs.size(), want.at("graphs").size());
    for (std::size_t k = 0; k < dataset.graphs.size(); ++k) {
      expect_graph(dataset.graphs[k], want.at("graphs").at(k));
      const auto y = dataset.standardised(k);
      for (int t = 0; t < kTargets; ++t)
        // Sums of 12 numbers in another order.
        EXPECT_NEAR(y[t], want.at("standardised").at(k).at(t).get<double>(), 1e-12);
    }
  }
}

TEST(FilesGolden, PyTorchsFileHoldsTheTrainingGraphsOfTheTable) {
  const auto want = expected();
  const auto imported = import_table({.table = file("peptide_structure_dataset.csv.gz"),
                                      .splits = file("split_protocol4.pickle")});
  const auto& rows = imported.dataset.split[Part::Train];
  const MappedFile bytes(file("train.pt"));
  const auto train = read_featurised(bytes.bytes(), "train.pt");
  ASSERT_EQ(train.graphs.size(), rows.size());
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const auto row = static_cast<std::size_t>(rows[k]);
    const auto& other = imported.dataset.graphs[row];
    EXPECT_EQ(train.graphs[k].atoms, other.atoms);
    EXPECT_EQ(train.graphs[k].edges, other.edges);
    EXPECT_EQ(train.graphs[k].bonds, other.bonds);
    for (int t = 0; t < kTargets; ++t)
      EXPECT_EQ(train.targets[k][t], static_cast<float>(want.at("standardised").at(row).at(t)));
  }
}

}  // namespace
}  // namespace npq::peptides
