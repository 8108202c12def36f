// Graphs of a user: as a list of edges or as a matrix.
#include <algorithm>
#include <cmath>
#include <vector>

#include "npq/clrs/samplers/inputs_json.h"
#include "npq/clrs/samplers/json_fields.h"

namespace npq::clrs {
namespace {

/// What an algorithm asks of its graph.
struct GraphRules {
  std::string_view name;
  enum class Edges { Undirected, EitherWay, Directed, Acyclic } edges;
  enum class Weights { None, Positive, AnySign } weights;
};

// EitherWay: the benchmark's graphs are undirected, but the algorithm is right on directed ones.
constexpr GraphRules kRules[] = {
    {"dfs", GraphRules::Edges::Directed, GraphRules::Weights::None},
    {"topological_sort", GraphRules::Edges::Acyclic, GraphRules::Weights::None},
    {"articulation_points", GraphRules::Edges::Undirected, GraphRules::Weights::None},
    {"bridges", GraphRules::Edges::Undirected, GraphRules::Weights::None},
    {"strongly_connected_components", GraphRules::Edges::Directed, GraphRules::Weights::None},
    {"bfs", GraphRules::Edges::EitherWay, GraphRules::Weights::None},
    {"mst_kruskal", GraphRules::Edges::Undirected, GraphRules::Weights::Positive},
    {"mst_prim", GraphRules::Edges::Undirected, GraphRules::Weights::Positive},
    {"dijkstra", GraphRules::Edges::EitherWay, GraphRules::Weights::Positive},
    {"bellman_ford", GraphRules::Edges::EitherWay, GraphRules::Weights::AnySign},
    {"dag_shortest_paths", GraphRules::Edges::Acyclic, GraphRules::Weights::AnySign},
    {"floyd_warshall", GraphRules::Edges::EitherWay, GraphRules::Weights::AnySign},
};

const GraphRules& rules_of(const Algorithm& algorithm) {
  for (const auto& rules : kRules)
    if (rules.name == algorithm.name) return rules;
  NPQ_ASSERT(!"every graph algorithm has its rules");
}

constexpr int kFewestNodes = 2;

void check_weight(const JsonFields& fields, double weight, const std::string& place) {
  const auto weights = rules_of(fields.algorithm()).weights;
  if (weights == GraphRules::Weights::None && weight != 1)
    fields.fail("{} weighs {}; {} knows no weights, so write 1 or leave them out", place, weight,
                fields.algorithm().name);
  if (weight == 0) fields.fail("{} weighs 0, which would mean no edge; leave it out", place);
  if (weights == GraphRules::Weights::Positive && weight < 0)
    fields.fail("{} weighs {}; {} needs weights above 0", place, weight, fields.algorithm().name);
}

EdgeScalars read_edges(JsonFields& fields) {
  const auto& rules = rules_of(fields.algorithm());
  const int n = static_cast<int>(fields.integer("nodes", kFewestNodes, kMostNodesOfAnInput));
  const bool own =
      rules.edges == GraphRules::Edges::Directed || rules.edges == GraphRules::Edges::Acyclic;
  const bool directed = fields.has("directed") ? fields.flag("directed") : own;
  if (directed && rules.edges == GraphRules::Edges::Undirected)
    fields.fail("'directed' is true, but {} is about undirected graphs", rules.name);
  if (!directed && rules.edges == GraphRules::Edges::Acyclic)
    fields.fail("'directed' is false, but {} is about directed graphs without cycles", rules.name);

  const auto& edges = fields.get("edges");
  if (!edges.is_array()) fields.fail("'edges' is {}; expected a list", edges.type_name());
  EdgeScalars A(n);
  for (std::size_t k = 0; k < edges.size(); ++k) {
    const auto place = fmt::format("edges[{}]", k);
    const auto& edge = edges[k];
    const bool weighted = rules.weights != GraphRules::Weights::None;
    if (!edge.is_array() || edge.size() > 3 || edge.size() < (weighted ? 3u : 2u))
      fields.fail("{} must be {}", place, weighted ? "[from, to, weight]" : "[from, to]");
    const int i = static_cast<int>(fields.integer_at(edge[0], place + "[0]", 0, n - 1));
    const int j = static_cast<int>(fields.integer_at(edge[1], place + "[1]", 0, n - 1));
    const double weight = edge.size() == 3 ? fields.number_at(edge[2], place + "[2]") : 1;
    check_weight(fields, weight, place);
    if (A(i, j) != 0) fields.fail("{} from {} to {} is there already", place, i, j);
    A(i, j) = weight;
    if (!directed) A(j, i) = weight;
  }
  return A;
}

EdgeScalars read_matrix(JsonFields& fields) {
  const auto& rows = fields.get("A");
  if (!rows.is_array()) fields.fail("'A' is {}; expected a list of rows", rows.type_name());
  if (rows.size() < kFewestNodes || rows.size() > kMostNodesOfAnInput)
    fields.fail("'A' has {} rows; expected {} to {}", rows.size(), kFewestNodes,
                kMostNodesOfAnInput);
  const int n = static_cast<int>(rows.size());
  EdgeScalars A(n);
  for (int i = 0; i < n; ++i) {
    if (!rows[i].is_array() || rows[i].size() != rows.size())
      fields.fail("A[{}] must be a list of {} numbers, as many as there are rows", i, n);
    for (int j = 0; j < n; ++j) {
      const auto place = fmt::format("A[{}][{}]", i, j);
      A(i, j) = fields.number_at(rows[i][j], place);
      if (A(i, j) != 0) check_weight(fields, A(i, j), place);
    }
  }
  return A;
}

void check_symmetric(const JsonFields& fields, const EdgeScalars& A) {
  for (int i = 0; i < A.nodes(); ++i)
    for (int j = 0; j < i; ++j)
      if (A(i, j) != A(j, i))
        fields.fail("A[{}][{}] is {} but A[{}][{}] is {}; {} needs a symmetric matrix", j, i,
                    A(j, i), i, j, A(i, j), fields.algorithm().name);
}

/// Takes away nodes that nothing points to until none is left; what stays lies on or behind a
/// cycle.
void check_acyclic(const JsonFields& fields, const EdgeScalars& A) {
  const int n = A.nodes();
  std::vector<int> entering(n), free;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) entering[j] += A(i, j) != 0;
  for (int j = 0; j < n; ++j)
    if (entering[j] == 0) free.push_back(j);
  int taken = 0;
  for (; !free.empty(); ++taken) {
    const int i = free.back();
    free.pop_back();
    for (int j = 0; j < n; ++j)
      if (A(i, j) != 0 && --entering[j] == 0) free.push_back(j);
  }
  if (taken < n)
    fields.fail("the graph has a cycle; {} needs a directed graph without",
                fields.algorithm().name);
}

/// Paths from anywhere are as if a new node led to all others for free.
void check_no_negative_cycle(const JsonFields& fields, const EdgeScalars& A) {
  const int n = A.nodes();
  std::vector<double> d(n, 0);
  bool changed = true;
  for (int round = 0; changed; ++round) {
    if (round == n)
      fields.fail(
          "the graph has a cycle of negative weight, around which no path is the shortest (an edge "
          "of negative weight that goes both ways is one); make weights positive or directed");
    changed = false;
    for (int u = 0; u < n; ++u)
      for (int v = 0; v < n; ++v)
        if (A(u, v) != 0 && d[u] + A(u, v) < d[v] - 1e-12 * std::abs(d[v])) {
          d[v] = d[u] + A(u, v);
          changed = true;
        }
  }
}

EdgeScalars read_weights(JsonFields& fields) {
  const auto& rules = rules_of(fields.algorithm());
  EdgeScalars A = fields.has("A") ? read_matrix(fields) : read_edges(fields);
  if (rules.edges == GraphRules::Edges::Undirected) check_symmetric(fields, A);
  if (rules.edges == GraphRules::Edges::Acyclic) check_acyclic(fields, A);
  if (rules.weights == GraphRules::Weights::AnySign) check_no_negative_cycle(fields, A);
  return A;
}

}  // namespace

Graph read_graph(JsonFields& fields) { return {read_weights(fields)}; }

GraphWithSource read_graph_with_source(JsonFields& fields) {
  GraphWithSource graph{read_weights(fields), 0};
  const auto* name = fields.has("s") ? "s" : "source";
  graph.s = static_cast<int>(fields.integer(name, 0, graph.A.nodes() - 1));
  return graph;
}

}  // namespace npq::clrs
