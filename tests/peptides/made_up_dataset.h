#pragma once
#include "npq/peptides/dataset.h"

namespace npq::test {

/// Four molecules of one to four atoms in a row, with targets that differ.
inline peptides::Dataset made_up_dataset(int count = 4) {
  peptides::Dataset dataset;
  for (int k = 0; k < count; ++k) {
    peptides::Graph graph;
    for (int i = 0; i <= k % 4; ++i) {
      graph.atoms.push_back({static_cast<std::uint8_t>(5 + i), 0, 4, 5, 3, 0, 2, 0, 0});
      if (i == 0) continue;
      graph.edges.insert(graph.edges.end(), {{i - 1, i}, {i, i - 1}});
      graph.bonds.insert(graph.bonds.end(), {{0, 0, 1}, {0, 0, 1}});
    }
    dataset.graphs.push_back(graph);
    peptides::Targets y;
    for (int t = 0; t < peptides::kTargets; ++t) y[t] = k * (t + 1) + 0.5 * (k % 3);
    dataset.targets.push_back(y);
    dataset.split.parts[k < count / 2 ? 0 : k < 3 * count / 4 ? 1 : 2].push_back(k);
  }
  standardise(dataset, "made up");
  dataset.about = {{"source", "made up"}};
  return dataset;
}

}  // namespace npq::test
