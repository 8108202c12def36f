#include "npq/peptides/graph.h"

#include <fmt/format.h>

namespace npq::peptides {
namespace {

template <std::size_t count>
std::string problem_of_features(const std::vector<std::array<std::uint8_t, count>>& rows,
                                const std::array<int, count>& values, const char* what) {
  for (std::size_t row = 0; row < rows.size(); ++row)
    for (std::size_t k = 0; k < count; ++k)
      if (rows[row][k] >= values[k])
        return fmt::format("feature {} of {} {} is {}; expected 0 to {}", k, what, row,
                           rows[row][k], values[k] - 1);
  return "";
}

}  // namespace

std::string problem_of(const Graph& graph) {
  if (graph.atoms.empty()) return "no atoms";
  if (graph.nodes() > kMostAtoms)
    return fmt::format("{} atoms; expected at most {}", graph.nodes(), kMostAtoms);
  if (graph.bonds.size() != graph.edges.size())
    return fmt::format("{} edges, but features for {}", graph.edges.size(), graph.bonds.size());
  for (std::size_t e = 0; e < graph.edges.size(); ++e) {
    const auto& [sender, receiver] = graph.edges[e];
    for (const auto node : {sender, receiver})
      if (node < 0 || node >= graph.nodes())
        return fmt::format("edge {} goes from {} to {}, but there are {} atoms", e, sender,
                           receiver, graph.nodes());
    if (sender == receiver) return fmt::format("edge {} goes from atom {} to itself", e, sender);
  }
  if (auto wrong = problem_of_features(graph.atoms, kAtomValues, "atom"); !wrong.empty())
    return wrong;
  return problem_of_features(graph.bonds, kBondValues, "edge");
}

}  // namespace npq::peptides
