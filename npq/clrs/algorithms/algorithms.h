#pragma once
#include "npq/clrs/samplers/inputs.h"
#include "npq/clrs/spec/spec.h"
#include "npq/clrs/trace/trace.h"

// The 30 algorithms, one file each in the folder of its family, and the tasks of structures/:
// NAME_spec() says what it shows, NAME() runs it.
namespace npq::clrs {

// sorting
Spec insertion_sort_spec();
void insertion_sort(const Keys&, Trace&);
Spec bubble_sort_spec();
void bubble_sort(const Keys&, Trace&);
Spec heapsort_spec();
void heapsort(const Keys&, Trace&);
Spec quicksort_spec();
void quicksort(const Keys&, Trace&);

// searching
Spec minimum_spec();
void minimum(const Keys&, Trace&);
Spec binary_search_spec();
void binary_search(const SortedKeysAndTarget&, Trace&);
Spec quickselect_spec();       // as of November 2022
Spec quickselect_head_spec();  // newer versions show the pivot too
void quickselect(const Keys&, Trace&);

// divide_and_conquer
Spec find_maximum_subarray_kadane_spec();
void find_maximum_subarray_kadane(const Keys&, Trace&);

// greedy
Spec activity_selector_spec();
void activity_selector(const Activities&, Trace&);
Spec task_scheduling_spec();
void task_scheduling(const Tasks&, Trace&);

// dynamic_programming
Spec matrix_chain_order_spec();
void matrix_chain_order(const Keys&, Trace&);
Spec lcs_length_spec();
void lcs_length(const Strings&, Trace&);
Spec optimal_bst_spec();
void optimal_bst(const SearchTree&, Trace&);

// graphs
Spec dfs_spec();
void dfs(const Graph&, Trace&);
Spec topological_sort_spec();
void topological_sort(const Graph&, Trace&);
Spec articulation_points_spec();
void articulation_points(const Graph&, Trace&);
Spec bridges_spec();
void bridges(const Graph&, Trace&);
Spec strongly_connected_components_spec();
void strongly_connected_components(const Graph&, Trace&);
Spec bfs_spec();
void bfs(const GraphWithSource&, Trace&);
Spec mst_kruskal_spec();
void mst_kruskal(const Graph&, Trace&);
Spec mst_prim_spec();
void mst_prim(const GraphWithSource&, Trace&);
Spec dijkstra_spec();
void dijkstra(const GraphWithSource&, Trace&);
Spec bellman_ford_spec();
void bellman_ford(const GraphWithSource&, Trace&);
Spec dag_shortest_paths_spec();
void dag_shortest_paths(const GraphWithSource&, Trace&);
Spec floyd_warshall_spec();
void floyd_warshall(const Graph&, Trace&);

// strings
Spec naive_string_matcher_spec();
void naive_string_matcher(const Strings&, Trace&);
Spec kmp_matcher_spec();
void kmp_matcher(const Strings&, Trace&);

// geometry
Spec segments_intersect_spec();
void segments_intersect(const Points&, Trace&);
Spec graham_scan_spec();
void graham_scan(const Points&, Trace&);
Spec jarvis_march_spec();
void jarvis_march(const Points&, Trace&);

// structures: not part of CLRS-30
Spec structure_spec();
void priority_queue(const Operations&, Trace&);
void stack(const Operations&, Trace&);
void queue(const Operations&, Trace&);

}  // namespace npq::clrs
