#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "npq/peptides/dataset.h"

namespace npq::peptides {

/// A row of a published table, before chemistry.
struct TableRow {
  std::string smiles;
  Targets targets = {};
  std::string problem;  // what is wrong with its targets; empty: nothing
};

/// The rows of peptide_structure_dataset.csv.gz and its like: a column "smiles" and the eleven
/// targets, found by name whatever the case and the order; others are ignored. A missing column
/// is an Error that lists those there are.
std::vector<TableRow> read_table(const std::filesystem::path& path);

struct ImportOptions {
  std::filesystem::path table;   // CSV, gzipped or not
  std::filesystem::path splits;  // pickle or JSON
  bool skip_bad = false;  // leave out rows that are wrong, and count them, instead of failing
  int threads = 0;
};

struct Imported {
  Dataset dataset;
  std::vector<std::string> warnings;  // sentences
};

/// Reads table and splits, featurises every molecule, standardises the targets over all rows. The
/// first row that is wrong is an Error that names file and row (from 0, the header not counted).
Imported import_table(const ImportOptions& options, const Progress& progress = {});

/// Compares a data set of the size of the full published table with that table's known totals; one
/// sentence for each difference.
std::vector<std::string> compare_with_published(const Dataset& dataset);

}  // namespace npq::peptides
