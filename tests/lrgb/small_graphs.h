#pragma once
#include <numeric>
#include <vector>

#include "npq/lrgb/graphs.h"
#include "npq/lrgb/model.h"

// Small molecules made by hand, and small networks to run on them.
namespace npq::test {

/// A chain of so many atoms whose features differ from atom to atom.
inline peptides::Graph chain_graph(int atoms, int variety = 0) {
  peptides::Graph graph;
  for (int i = 0; i < atoms; ++i) {
    peptides::Atom atom{};
    for (int k = 0; k < peptides::kAtomFeatures; ++k)
      atom[k] = static_cast<std::uint8_t>((i * (k + 1) + variety) % peptides::kAtomValues[k]);
    graph.atoms.push_back(atom);
  }
  for (int i = 0; i + 1 < atoms; ++i) {
    const peptides::Bond bond = {static_cast<std::uint8_t>((i + variety) % 5),
                                 static_cast<std::uint8_t>(i % 6),
                                 static_cast<std::uint8_t>(variety % 2)};
    graph.edges.insert(graph.edges.end(), {{i, i + 1}, {i + 1, i}});
    graph.bonds.insert(graph.bonds.end(), {bond, bond});
  }
  return graph;
}

/// The graph with node i called order[i].
inline peptides::Graph renamed(const peptides::Graph& graph, const std::vector<int>& order) {
  peptides::Graph result = graph;
  for (std::size_t i = 0; i < order.size(); ++i) result.atoms[order[i]] = graph.atoms[i];
  for (auto& [sender, receiver] : result.edges) {
    sender = order[sender];
    receiver = order[receiver];
  }
  return result;
}

inline lrgb::Graphs joined(const std::vector<peptides::Graph>& graphs, lrgb::Base base) {
  std::vector<const peptides::Graph*> all;
  for (const auto& graph : graphs) all.push_back(&graph);
  return lrgb::join_graphs(all, base);
}

inline lrgb::ModelOptions small_options(lrgb::Base base, lrgb::Layer layer,
                                        const std::string& memory = "none") {
  lrgb::ModelOptions options;
  options.base = base;
  options.layer = layer;
  options.layers = 3;
  options.hidden = 6;
  options.memory_width = 4;
  options.memory = lrgb::peptide_memory(memory);
  if (options.memory.queue.heads > 4) options.memory.queue.heads = 2;
  return options;
}

}  // namespace npq::test
