#include "npq/lrgb/graphs.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/zeros.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "npq/base/error.h"

namespace npq::lrgb {
namespace {

using ops::SparseMatrix;
using Entries = std::vector<ops::SparseEntry>;

struct Joined {
  std::vector<peptides::Atom> atoms;
  std::vector<peptides::Bond> bonds;
  std::vector<std::int64_t> sender, receiver;  // over the whole batch
  std::vector<std::int64_t> first;             // of each graph, and the end
};

Joined join(std::span<const peptides::Graph* const> graphs) {
  Joined joined;
  joined.first = {0};
  for (const auto* graph : graphs) {
    const auto shift = joined.first.back();
    joined.atoms.insert(joined.atoms.end(), graph->atoms.begin(), graph->atoms.end());
    joined.bonds.insert(joined.bonds.end(), graph->bonds.begin(), graph->bonds.end());
    for (const auto& edge : graph->edges) {
      joined.sender.push_back(shift + edge.sender);
      joined.receiver.push_back(shift + edge.receiver);
    }
    joined.first.push_back(shift + graph->nodes());
  }
  return joined;
}

/// The tables lie below each other in one, so that the embedding of a row is one sparse product.
template <std::size_t count>
SparseMatrix table_rows(const std::vector<std::array<std::uint8_t, count>>& rows,
                        const std::array<int, count>& values) {
  Entries entries;
  entries.reserve(rows.size() * count);
  for (std::size_t row = 0; row < rows.size(); ++row) {
    std::int64_t first = 0;
    for (std::size_t k = 0; k < count; ++k) {
      entries.push_back({static_cast<std::int64_t>(row), first + rows[row][k]});
      first += values[k];
    }
  }
  return {static_cast<std::int64_t>(rows.size()), std::accumulate(values.begin(), values.end(), 0),
          entries};
}

SparseMatrix normalised_neighbours(const Joined& joined) {
  const auto nodes = joined.first.back();
  std::vector<double> degree(static_cast<std::size_t>(nodes), 1);  // the loop's
  for (const auto node : joined.receiver) ++degree[node];
  Entries entries;
  const auto add = [&](std::int64_t i, std::int64_t j) {
    entries.push_back({i, j, 1 / std::sqrt(degree[i] * degree[j])});
  };
  for (std::size_t e = 0; e < joined.sender.size(); ++e) add(joined.receiver[e], joined.sender[e]);
  for (std::int64_t i = 0; i < nodes; ++i) add(i, i);
  return {nodes, nodes, entries};
}

/// Row e marks nodes[e].
SparseMatrix marks(const std::vector<std::int64_t>& nodes, std::int64_t columns) {
  Entries entries;
  for (std::size_t e = 0; e < nodes.size(); ++e)
    entries.push_back({static_cast<std::int64_t>(e), nodes[e]});
  return {static_cast<std::int64_t>(nodes.size()), columns, entries};
}

std::shared_ptr<const kernels::EdgeLists> with_loops(const Joined& joined) {
  auto sender = joined.sender, receiver = joined.receiver;
  for (std::int64_t i = 0; i < joined.first.back(); ++i) {
    sender.push_back(i);
    receiver.push_back(i);
  }
  return std::make_shared<const kernels::EdgeLists>(
      kernels::list_edges(joined.first.back(), sender, receiver));
}

void add_sums(Graphs& graphs, const Joined& joined) {
  Entries sums, means;
  for (std::int64_t g = 0; g < graphs.graphs; ++g) {
    const auto first = joined.first[g], last = joined.first[g + 1];
    for (auto i = first; i < last; ++i) {
      sums.push_back({g, i});
      means.push_back({g, i, 1.0 / static_cast<double>(last - first)});
    }
  }
  graphs.sums = {graphs.graphs, graphs.nodes, sums};
  graphs.means = {graphs.graphs, graphs.nodes, means};
}

/// Shelves of kShelf graphs, the largest graphs first: among molecules of 20 to 400 atoms, padding
/// all to the largest would more than double the rows.
void add_shelves(Graphs& graphs, const Joined& joined) {
  constexpr std::int64_t kShelf = 16;
  const auto size = [&](std::int64_t g) { return joined.first[g + 1] - joined.first[g]; };
  std::vector<std::int64_t> order(static_cast<std::size_t>(graphs.graphs));
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return size(a) > size(b); });
  Entries padded;
  std::int64_t rows = 0;
  for (std::int64_t begin = 0; begin < graphs.graphs; begin += kShelf) {
    Shelf shelf{.graphs = std::min(kShelf, graphs.graphs - begin),
                .largest = size(order[begin]),
                .first = rows,
                .members = {},
                .mask = {}};
    shelf.mask = at::zeros({shelf.graphs, shelf.largest}, at::kBool);
    auto* mask = shelf.mask.data_ptr<bool>();
    for (std::int64_t k = 0; k < shelf.graphs; ++k) {
      const auto g = order[begin + k];
      shelf.members.push_back(g);
      for (std::int64_t i = 0; i < size(g); ++i) {
        padded.push_back({rows + k * shelf.largest + i, joined.first[g] + i});
        mask[k * shelf.largest + i] = true;
      }
    }
    rows += shelf.rows();
    graphs.shelves.push_back(std::move(shelf));
  }
  graphs.padded = {rows, graphs.nodes, padded};
}

}  // namespace

Graphs join_graphs(std::span<const peptides::Graph* const> given, Base base) {
  NPQ_ASSERT(!given.empty());
  const auto joined = join(given);
  Graphs graphs{.graphs = static_cast<std::int64_t>(given.size()),
                .nodes = joined.first.back(),
                .edges = static_cast<std::int64_t>(joined.sender.size())};
  graphs.atoms = table_rows(joined.atoms, peptides::kAtomValues);
  switch (base) {
    case Base::Gcn:
      graphs.neighbours = normalised_neighbours(joined);
      break;
    case Base::Gine:
      graphs.bonds = table_rows(joined.bonds, peptides::kBondValues);
      graphs.senders = marks(joined.sender, graphs.nodes);
      graphs.receivers = marks(joined.receiver, graphs.nodes);
      break;
    case Base::Gatv2:
      graphs.heard = with_loops(joined);
      break;
  }
  add_sums(graphs, joined);
  add_shelves(graphs, joined);
  return graphs;
}

at::Tensor target_tensor(const std::vector<peptides::Targets>& targets, at::ScalarType dtype) {
  auto tensor =
      at::empty({static_cast<std::int64_t>(targets.size()), peptides::kTargets}, at::kDouble);
  auto* numbers = tensor.data_ptr<double>();
  for (const auto& row : targets) numbers = std::copy(row.begin(), row.end(), numbers);
  return tensor.to(dtype);
}

}  // namespace npq::lrgb
