#pragma once
#include <optional>
#include <vector>

#include "npq/clrs/samplers/inputs.h"
#include "npq/random/random_state.h"

namespace npq::clrs {

/// The benchmark's generator of November 2022 (our golden data), or what newer versions changed.
enum class Generator { V1, Head };

/// The keywords of all samplers; a sampler looks at its own and ignores the rest, as the benchmark
/// does.
struct SamplerOptions {
  Generator generator = Generator::V1;
  std::optional<double> low, high;  // keys and edge weights; default 0 and 1, kadane -1 and 1
  std::vector<double> p;            // edge probabilities to choose from; empty: the algorithm's own
  int k = 4;                        // communities (strongly_connected_components)
  double eps = 0.01;                // chance that an edge between or inside them flips
  std::optional<int> length_2;      // second string of lcs_length; default length / 2
  int chars = 4;                    // alphabet, at most 4
  std::optional<int> length_needle;               // < 0: drawn from 1..|value|; default length / 5
  std::optional<int> max_deadline;                // task_scheduling; default length
  double origin_x = 0, origin_y = 0, radius = 2;  // hulls
  std::optional<int>
      truncate_decimals;  // keep this many decimals of every number drawn (newer versions)

  /// Throws UsageError on values no sampler can use.
  void validate() const;
};

using SampleFunction = Inputs (*)(random::RandomState&, int length, const SamplerOptions&);

Inputs sample_keys(random::RandomState&, int length, const SamplerOptions&);
Inputs sample_sorted_keys_and_target(random::RandomState&, int length, const SamplerOptions&);
Inputs sample_max_subarray(random::RandomState&, int length, const SamplerOptions&);
Inputs sample_lcs_strings(random::RandomState&, int length, const SamplerOptions&);
Inputs sample_search_tree(random::RandomState&, int length, const SamplerOptions&);
Inputs sample_activities(random::RandomState&, int length, const SamplerOptions&);
Inputs sample_tasks(random::RandomState&, int length, const SamplerOptions&);
Inputs sample_dfs_graph(random::RandomState&, int length, const SamplerOptions&);
Inputs sample_bfs_graph(random::RandomState&, int length, const SamplerOptions&);
Inputs sample_topological_graph(random::RandomState&, int length, const SamplerOptions&);
Inputs sample_articulation_graph(random::RandomState&, int length, const SamplerOptions&);
Inputs sample_kruskal_graph(random::RandomState&, int length, const SamplerOptions&);
Inputs sample_weighted_graph_with_source(random::RandomState&, int length, const SamplerOptions&);
Inputs sample_dag_with_source(random::RandomState&, int length, const SamplerOptions&);
Inputs sample_floyd_warshall_graph(random::RandomState&, int length, const SamplerOptions&);
Inputs sample_communities(random::RandomState&, int length, const SamplerOptions&);
Inputs sample_match_strings(random::RandomState&, int length, const SamplerOptions&);
Inputs sample_segments(random::RandomState&, int length, const SamplerOptions&);
Inputs sample_hull_points(random::RandomState&, int length, const SamplerOptions&);
Inputs sample_operations(random::RandomState&, int length, const SamplerOptions&);

}  // namespace npq::clrs
