#include <algorithm>
#include <cmath>

#include "npq/base/error.h"
#include "npq/clrs/samplers/common.h"

// Random graphs after Erdos and Renyi, and communities of them.
namespace npq::clrs {
namespace {

constexpr std::string_view kOneNode = "a graph needs a node";

/// One of the caller's edge probabilities, or the sampler's own; drawn before everything else.
double draw_probability(random::RandomState& random, const SamplerOptions& options,
                        double default_p) {
  if (options.p.empty()) return default_p;
  return options.p[random.choice(static_cast<std::int64_t>(options.p.size()))];
}

/// Every ordered pair is an edge with probability p, a node with itself too.
EdgeScalars draw_directed(random::RandomState& random, int nodes, double p) {
  EdgeScalars M(nodes);
  random.binomial(1, p, M.values());
  return M;
}

/// M(i,j) := M(i,j) * M(j,i): an undirected edge is there if both of its directions were drawn.
void multiply_by_transpose(EdgeScalars& M) {
  for (int i = 0; i < M.nodes(); ++i) {
    for (int j = 0; j < i; ++j) M(i, j) = M(j, i) = M(i, j) * M(j, i);
    M(i, i) *= M(i, i);
  }
}

EdgeScalars draw_undirected(random::RandomState& random, int nodes, double p) {
  EdgeScalars M = draw_directed(random, nodes, p);
  multiply_by_transpose(M);
  return M;
}

/// Gives the nodes new places, so that their numbers tell nothing about the structure.
EdgeScalars permuted(random::RandomState& random, const EdgeScalars& M) {
  const auto place = random.permutation(M.nodes());
  EdgeScalars moved(M.nodes());
  for (int i = 0; i < M.nodes(); ++i) {
    for (int j = 0; j < M.nodes(); ++j) {
      moved(i, j) = M(static_cast<int>(place[i]), static_cast<int>(place[j]));
    }
  }
  return moved;
}

EdgeScalars draw_acyclic(random::RandomState& random, int nodes, double p) {
  EdgeScalars M = draw_directed(random, nodes, p);
  for (int i = 0; i < nodes; ++i) {
    for (int j = 0; j <= i; ++j) M(i, j) = 0;
  }
  return permuted(random, M);
}

/// Weights for all pairs, edge or not: the stream must not depend on the edges.
EdgeScalars draw_weights(random::RandomState& random, int nodes, Range range) {
  EdgeScalars W(nodes);
  random.uniform(range.low, range.high, W.values());
  return W;
}

EdgeScalars weighted(EdgeScalars M, const EdgeScalars& W, const SamplerOptions& options) {
  for (std::size_t i = 0; i < M.values().size(); ++i) M.values()[i] *= W.values()[i];
  if (options.truncate_decimals) M.values() = truncated(options, std::move(M.values()));
  return M;
}

constexpr double kWeightFloor = 0.001;  // no edge weighs nothing, which would mean no edge

EdgeScalars draw_undirected_weighted(random::RandomState& random, int nodes,
                                     const SamplerOptions& options, double default_p) {
  check(options, nodes, 1, kOneNode);
  const auto [low, high] = range_of(options);
  if (low * high < -kWeightFloor) {
    throw UsageError(
        "edge weights are drawn from {} to {}, but an undirected edge weighs the root "
        "of a product of two; give low 0 or more",
        low, high);
  }
  EdgeScalars M = draw_undirected(random, nodes, draw_probability(random, options, default_p));
  EdgeScalars W = draw_weights(random, nodes, {low, high});
  multiply_by_transpose(W);
  for (double& weight : W.values()) weight = std::sqrt(weight + kWeightFloor);
  return weighted(std::move(M), W, options);
}

GraphWithSource with_source(random::RandomState& random, EdgeScalars A) {
  const int nodes = A.nodes();
  return {std::move(A), static_cast<int>(random.choice(nodes))};
}

}  // namespace

Inputs sample_dfs_graph(random::RandomState& random, int length, const SamplerOptions& options) {
  check(options, length, 1, kOneNode);
  return Graph{draw_directed(random, length, draw_probability(random, options, 0.5))};
}

Inputs sample_bfs_graph(random::RandomState& random, int length, const SamplerOptions& options) {
  check(options, length, 1, kOneNode);
  const double p = draw_probability(random, options, 0.5);
  return with_source(random, draw_undirected(random, length, p));
}

Inputs sample_topological_graph(random::RandomState& random, int length,
                                const SamplerOptions& options) {
  check(options, length, 1, kOneNode);
  return Graph{draw_acyclic(random, length, draw_probability(random, options, 0.5))};
}

Inputs sample_articulation_graph(random::RandomState& random, int length,
                                 const SamplerOptions& options) {
  check(options, length, 1, kOneNode);
  return Graph{draw_undirected(random, length, draw_probability(random, options, 0.2))};
}

Inputs sample_kruskal_graph(random::RandomState& random, int length,
                            const SamplerOptions& options) {
  return Graph{draw_undirected_weighted(random, length, options, 0.2)};
}

Inputs sample_weighted_graph_with_source(random::RandomState& random, int length,
                                         const SamplerOptions& options) {
  return with_source(random, draw_undirected_weighted(random, length, options, 0.5));
}

Inputs sample_floyd_warshall_graph(random::RandomState& random, int length,
                                   const SamplerOptions& options) {
  return Graph{draw_undirected_weighted(random, length, options, 0.5)};
}

Inputs sample_dag_with_source(random::RandomState& random, int length,
                              const SamplerOptions& options) {
  check(options, length, 1, kOneNode);
  const Range range = range_of(options);
  EdgeScalars M = draw_acyclic(random, length, draw_probability(random, options, 0.5));
  const EdgeScalars W = draw_weights(random, length, range);
  return with_source(random, weighted(std::move(M), W, options));
}

Inputs sample_communities(random::RandomState& random, int length, const SamplerOptions& options) {
  NPQ_ASSERT(options.k > 0);
  check(options, length, options.k, fmt::format("each of {} communities needs a node", options.k));
  const double p = draw_probability(random, options, 0.5);
  // Consecutive blocks of equal size; the last one takes the rest.
  const int size = length / options.k;
  NPQ_ASSERT(size > 0);
  const auto block = [&](int node) { return std::min(node / size, options.k - 1); };
  EdgeScalars M(length);
  for (int b = 0; b < options.k; ++b) {
    const int first = b * size;
    const EdgeScalars inside = draw_directed(random, b + 1 < options.k ? size : length - first, p);
    for (int i = 0; i < inside.nodes(); ++i) {
      for (int j = 0; j < inside.nodes(); ++j) M(first + i, first + j) = inside(i, j);
    }
  }
  // A few pairs flip, inside a block or from an earlier one to a later one: never back, so that
  // communities stay apart as components.
  const EdgeScalars flips = draw_directed(random, length, options.eps);
  for (int i = 0; i < length; ++i) {
    for (int j = 0; j < length; ++j) {
      if (flips(i, j) != 0 && block(i) <= block(j)) M(i, j) = M(i, j) > 0 ? 0 : 1;
    }
  }
  return Graph{permuted(random, M)};
}

}  // namespace npq::clrs
