#include "npq/peptides/import.h"

#include <mutex>

#include "npq/base/error.h"
#include "npq/base/parallel.h"
#include "npq/peptides/chemistry.h"

namespace npq::peptides {
namespace {

/// Featurises all rows; what is wrong with one is kept in its `problem`.
std::vector<Graph> featurise(std::vector<TableRow>& rows, int threads, const Progress& progress) {
  std::vector<Graph> graphs(rows.size());
  std::mutex mutex;
  std::int64_t done = 0;
  parallel_for(threads, rows.size(), [&](std::size_t k) {
    if (rows[k].problem.empty()) {
      try {
        graphs[k] = graph_of_smiles(rows[k].smiles);
        rows[k].problem = problem_of(graphs[k]);
      } catch (const Error& error) {
        rows[k].problem = error.what();
      }
    }
    const std::lock_guard lock(mutex);
    ++done;
    if (progress) progress(done, static_cast<std::int64_t>(rows.size()));
  });
  return graphs;
}

/// The split by graphs instead of rows; rows that were left out (-1) fall away.
Split renumbered(const Split& split, const std::vector<std::int64_t>& graph_of_row) {
  Split result;
  for (std::size_t part = 0; part < 3; ++part)
    for (const auto row : split.parts[part])
      if (const auto graph = graph_of_row[static_cast<std::size_t>(row)]; graph >= 0)
        result.parts[part].push_back(graph);
  return result;
}

}  // namespace

Imported import_table(const ImportOptions& options, const Progress& progress) {
  require_chemistry();
  const auto name = options.table.string();
  auto rows = read_table(options.table);
  if (rows.empty()) throw Error("'{}' has a header but no rows", name);
  const auto split = read_split(options.splits);
  const auto count = static_cast<std::int64_t>(rows.size());
  const auto left_over = check_split(split, count, options.splits.string());
  auto graphs = featurise(rows, options.threads, progress);

  Imported imported;
  auto& dataset = imported.dataset;
  std::vector<std::int64_t> graph_of_row(rows.size(), -1);
  std::string first_problem;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    if (!rows[k].problem.empty()) {
      const auto sentence = fmt::format("'{}', row {}: {}", name, k, rows[k].problem);
      if (!options.skip_bad) throw Error("{}", sentence);
      if (first_problem.empty()) first_problem = sentence;
      continue;
    }
    graph_of_row[k] = static_cast<std::int64_t>(dataset.graphs.size());
    dataset.graphs.push_back(std::move(graphs[k]));
    dataset.targets.push_back(rows[k].targets);
  }
  standardise(dataset, name);
  dataset.split = renumbered(split, graph_of_row);
  dataset.about = {{"source", options.table.filename().string()},
                   {"splits", options.splits.filename().string()},
                   {"chemistry", chemistry_version()}};
  if (const auto bad = rows.size() - dataset.graphs.size(); bad > 0)
    imported.warnings.push_back(
        fmt::format("{} of {} rows are left out; the first: {}", bad, count, first_problem));
  if (left_over > 0)
    imported.warnings.push_back(fmt::format("{} of {} rows are in no part of '{}'", left_over,
                                            count, options.splits.string()));
  const auto differences = compare_with_published(dataset);
  imported.warnings.insert(imported.warnings.end(), differences.begin(), differences.end());
  return imported;
}

std::vector<std::string> compare_with_published(const Dataset& dataset) {
  constexpr std::size_t kRows = 15'535;
  constexpr std::int64_t kNodes = 2'344'859, kEdges = 4'773'974, kFirstNodes = 119,
                         kFirstEdges = 244;
  std::vector<std::string> differences;
  if (dataset.graphs.size() != kRows) return differences;
  const auto compare = [&](const char* what, std::int64_t found, std::int64_t published) {
    if (found != published)
      differences.push_back(
          fmt::format("this looks like the published table, but {} is {} instead of {}", what,
                      found, published));
  };
  compare("the number of nodes", dataset.nodes(), kNodes);
  compare("the number of edges", dataset.edges(), kEdges);
  const auto& first = dataset.graphs.front();
  compare("the number of nodes of graph 0", first.nodes(), kFirstNodes);
  compare("the number of edges of graph 0", static_cast<std::int64_t>(first.edges.size()),
          kFirstEdges);
  return differences;
}

}  // namespace npq::peptides
