#include "npq/clrs/catalog.h"

#include <algorithm>

#include "npq/base/names.h"
#include "npq/clrs/algorithms/algorithms.h"

namespace npq::clrs {
namespace {

/// Turns void f(const Keys&, Trace&) into a function of any Inputs, which must hold Keys.
template <auto function>
struct Adapt;
template <class Taken, void (*function)(const Taken&, Trace&)>
struct Adapt<function> {
  static void run(const Inputs& inputs, Trace& trace) { function(std::get<Taken>(inputs), trace); }
};

template <auto function>
Algorithm row(std::string_view name, Family family, int minimum_length, int multiplier,
              double edge_probability, const Spec& spec, SampleFunction sample) {
  return {name, family, minimum_length, multiplier,          edge_probability,
          spec, spec,   sample,         Adapt<function>::run};
}

std::vector<Algorithm> make_catalog() {
  using enum Family;
  // clang-format off
  std::vector<Algorithm> rows = {
      //                                name            family  min  x   p    shows              draws
      row<insertion_sort>("insertion_sort",             Sorting, 2,  1,  0,   insertion_sort_spec(), sample_keys),
      row<bubble_sort>("bubble_sort",                   Sorting, 2,  1,  0,   bubble_sort_spec(), sample_keys),
      row<heapsort>("heapsort",                         Sorting, 2,  1,  0,   heapsort_spec(), sample_keys),
      row<quicksort>("quicksort",                       Sorting, 2,  1,  0,   quicksort_spec(), sample_keys),
      row<minimum>("minimum",                         Searching, 2, 64,  0,   minimum_spec(), sample_keys),
      row<binary_search>("binary_search",             Searching, 2, 64,  0,   binary_search_spec(), sample_sorted_keys_and_target),
      row<quickselect>("quickselect",                 Searching, 2, 64,  0,   quickselect_spec(), sample_keys),
      row<find_maximum_subarray_kadane>("find_maximum_subarray_kadane",
                                               DivideAndConquer, 2, 32,  0,   find_maximum_subarray_kadane_spec(), sample_max_subarray),
      row<activity_selector>("activity_selector",        Greedy, 2,  1,  0,   activity_selector_spec(), sample_activities),
      row<task_scheduling>("task_scheduling",            Greedy, 2,  1,  0,   task_scheduling_spec(), sample_tasks),
      row<matrix_chain_order>("matrix_chain_order", DynamicProgramming, 2, 1, 0, matrix_chain_order_spec(), sample_keys),
      row<lcs_length>("lcs_length",          DynamicProgramming, 2,  1,  0,   lcs_length_spec(), sample_lcs_strings),
      row<optimal_bst>("optimal_bst",        DynamicProgramming, 2,  1,  0,   optimal_bst_spec(), sample_search_tree),
      row<dfs>("dfs",                                    Graphs, 2,  1,  0.5, dfs_spec(), sample_dfs_graph),
      row<topological_sort>("topological_sort",          Graphs, 2,  1,  0.5, topological_sort_spec(), sample_topological_graph),
      row<articulation_points>("articulation_points",    Graphs, 2,  1,  0.2, articulation_points_spec(), sample_articulation_graph),
      row<bridges>("bridges",                            Graphs, 2,  1,  0.2, bridges_spec(), sample_articulation_graph),
      row<strongly_connected_components>("strongly_connected_components",
                                                         Graphs, 4,  1,  0.5, strongly_connected_components_spec(), sample_communities),
      row<bfs>("bfs",                                    Graphs, 2,  1,  0.5, bfs_spec(), sample_bfs_graph),
      row<mst_kruskal>("mst_kruskal",                    Graphs, 2,  1,  0.2, mst_kruskal_spec(), sample_kruskal_graph),
      row<mst_prim>("mst_prim",                          Graphs, 2,  1,  0.5, mst_prim_spec(), sample_weighted_graph_with_source),
      row<dijkstra>("dijkstra",                          Graphs, 2,  1,  0.5, dijkstra_spec(), sample_weighted_graph_with_source),
      row<bellman_ford>("bellman_ford",                  Graphs, 2,  1,  0.5, bellman_ford_spec(), sample_weighted_graph_with_source),
      row<dag_shortest_paths>("dag_shortest_paths",      Graphs, 2,  1,  0.5, dag_shortest_paths_spec(), sample_dag_with_source),
      row<floyd_warshall>("floyd_warshall",              Graphs, 2,  1,  0.5, floyd_warshall_spec(), sample_floyd_warshall_graph),
      row<naive_string_matcher>("naive_string_matcher", Strings, 3, 64,  0,   naive_string_matcher_spec(), sample_match_strings),
      row<kmp_matcher>("kmp_matcher",                   Strings, 3, 64,  0,   kmp_matcher_spec(), sample_match_strings),
      row<segments_intersect>("segments_intersect",    Geometry, 2, 64,  0,   segments_intersect_spec(), sample_segments),
      row<graham_scan>("graham_scan",                  Geometry, 3,  1,  0,   graham_scan_spec(), sample_hull_points),
      row<jarvis_march>("jarvis_march",                Geometry, 3,  1,  0,   jarvis_march_spec(), sample_hull_points),
  };
  // clang-format on
  for (auto& algorithm : rows)
    if (algorithm.name == "quickselect") algorithm.spec_head = quickselect_head_spec();
  return rows;
}

std::vector<Algorithm> make_structure_tasks() {
  const auto of = Family::DataStructures;
  return {row<priority_queue>("priority_queue", of, 2, 1, 0, structure_spec(), sample_operations),
          row<stack>("stack", of, 2, 1, 0, structure_spec(), sample_operations),
          row<queue>("queue", of, 2, 1, 0, structure_spec(), sample_operations)};
}

}  // namespace

std::string_view name_of(Family family) {
  switch (family) {
    case Family::Sorting:
      return "sorting";
    case Family::Searching:
      return "searching";
    case Family::DivideAndConquer:
      return "divide and conquer";
    case Family::Greedy:
      return "greedy";
    case Family::DynamicProgramming:
      return "dynamic programming";
    case Family::Graphs:
      return "graphs";
    case Family::Strings:
      return "strings";
    case Family::DataStructures:
      return "data structures";
    case Family::Geometry:
      return "geometry";
  }
  NPQ_ASSERT(false);
}

int Algorithm::nodes(int length) const {
  if (name == "optimal_bst") return length + 1;
  if (name == "segments_intersect") return 4;
  return length;
}

std::span<const Algorithm> catalog() {
  static const std::vector<Algorithm> rows = make_catalog();
  return rows;
}

std::span<const Algorithm> structure_tasks() {
  static const std::vector<Algorithm> rows = make_structure_tasks();
  return rows;
}

const Algorithm& find_algorithm(std::string_view name) {
  std::vector<std::string_view> known;
  for (const auto table : {catalog(), structure_tasks()})
    for (const auto& algorithm : table) {
      if (algorithm.name == name) return algorithm;
      known.push_back(algorithm.name);
    }
  throw unknown_name("algorithm", name, known);
}

}  // namespace npq::clrs
