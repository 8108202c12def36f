#include <gmock/gmock.h>

#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "npq/base/formats/safetensors.h"
#include "npq/clrs/samplers/samplers.h"

// The inputs of every sample in tests/golden/clrs/<algorithm>.safetensors, from the seed alone.
namespace npq::clrs {
namespace {

using nlohmann::json;

const std::map<std::string, SampleFunction> kSamplers = {
    {"activity_selector", sample_activities},
    {"articulation_points", sample_articulation_graph},
    {"bellman_ford", sample_weighted_graph_with_source},
    {"bfs", sample_bfs_graph},
    {"binary_search", sample_sorted_keys_and_target},
    {"bridges", sample_articulation_graph},
    {"bubble_sort", sample_keys},
    {"dag_shortest_paths", sample_dag_with_source},
    {"dfs", sample_dfs_graph},
    {"dijkstra", sample_weighted_graph_with_source},
    {"find_maximum_subarray_kadane", sample_max_subarray},
    {"floyd_warshall", sample_floyd_warshall_graph},
    {"graham_scan", sample_hull_points},
    {"heapsort", sample_keys},
    {"insertion_sort", sample_keys},
    {"jarvis_march", sample_hull_points},
    {"kmp_matcher", sample_match_strings},
    {"lcs_length", sample_lcs_strings},
    {"matrix_chain_order", sample_keys},
    {"minimum", sample_keys},
    {"mst_kruskal", sample_kruskal_graph},
    {"mst_prim", sample_weighted_graph_with_source},
    {"naive_string_matcher", sample_match_strings},
    {"optimal_bst", sample_search_tree},
    {"quickselect", sample_keys},
    {"quicksort", sample_keys},
    {"segments_intersect", sample_segments},
    {"strongly_connected_components", sample_communities},
    {"task_scheduling", sample_tasks},
    {"topological_sort", sample_topological_graph},
};

/// The stored inputs of one sample, and how each kind of drawn inputs compares with them.
struct Stored {
  const SafetensorsFile& file;
  std::string prefix;

  bool has(const std::string& name) const { return file.find(prefix + name) != nullptr; }
  std::vector<double> numbers(const std::string& name) const {
    if (file.at(prefix + name).dtype == Dtype::F64) return file.values<double>(prefix + name);
    const auto integers = file.values<std::int64_t>(prefix + name);
    return {integers.begin(), integers.end()};
  }

  void operator()(const Keys& drawn) const {
    EXPECT_EQ(drawn.key, numbers(has("key") ? "key" : "p"));
  }
  void operator()(const SortedKeysAndTarget& drawn) const {
    EXPECT_EQ(drawn.key, numbers("key"));
    EXPECT_EQ(std::vector{drawn.target}, numbers("target"));
  }
  void operator()(const Strings& drawn) const {
    std::vector<double> one_hot, string(drawn.first.size(), 0);
    string.resize(drawn.first.size() + drawn.second.size(), 1);
    for (const auto* const text : {&drawn.first, &drawn.second}) {
      for (const int character : *text) {
        for (int c = 0; c < 4; ++c) one_hot.push_back(c == character);
      }
    }
    EXPECT_EQ(one_hot, numbers("key"));
    EXPECT_EQ(string, numbers("string"));
  }
  void operator()(const SearchTree& drawn) const {
    auto p = drawn.p;
    p.push_back(0);  // the algorithm shows p on as many nodes as q
    EXPECT_EQ(p, numbers("p"));
    EXPECT_EQ(drawn.q, numbers("q"));
  }
  void operator()(const Activities& drawn) const {
    EXPECT_EQ(drawn.s, numbers("s"));
    EXPECT_EQ(drawn.f, numbers("f"));
  }
  void operator()(const Tasks& drawn) const {
    EXPECT_EQ(std::vector<double>(drawn.d.begin(), drawn.d.end()), numbers("d"));
    EXPECT_EQ(drawn.w, numbers("w"));
  }
  void operator()(const Graph& drawn) const {
    EXPECT_EQ(drawn.A.values(), numbers("A"));
    EXPECT_FALSE(has("s"));
  }
  void operator()(const GraphWithSource& drawn) const {
    EXPECT_EQ(drawn.A.values(), numbers("A"));
    std::vector<double> source(drawn.A.nodes(), 0);
    source.at(drawn.s) = 1;
    EXPECT_EQ(source, numbers("s"));
  }
  void operator()(const Operations&) const {
    ADD_FAILURE() << "the data-structure tasks are not part of the golden data";
  }
  void operator()(const Points& drawn) const {
    // Sines and cosines differ in the last place between C libraries and CPUs.
    using ::testing::DoubleNear;
    EXPECT_THAT(drawn.x, ::testing::Pointwise(DoubleNear(1e-14), numbers("x")));
    EXPECT_THAT(drawn.y, ::testing::Pointwise(DoubleNear(1e-14), numbers("y")));
    if (drawn.x.size() == 4) {  // segments: no sines
      EXPECT_EQ(drawn.x, numbers("x"));
      EXPECT_EQ(drawn.y, numbers("y"));
    }
  }
};

class SamplersGolden
    : public ::testing::TestWithParam<std::pair<const std::string, SampleFunction>> {};

TEST_P(SamplersGolden, TheStoredInputsFollowFromTheSeed) {
  const auto& [algorithm, sample] = GetParam();
  const auto file =
      SafetensorsFile::open(NPQ_TESTS_DIR "/golden/clrs/" + algorithm + ".safetensors");
  const json splits = json::parse(file.metadata().at("splits"));
  const json stored = json::parse(file.metadata().at("stored"));
  for (const auto generator : {Generator::V1, Generator::Head}) {
    for (const auto& [split, settings] : splits.items()) {
      random::RandomState random(settings["seed"].get<std::uint32_t>());
      for (int k = 0; k < stored[split].get<int>(); ++k) {
        const std::string prefix = split + "/" + std::to_string(k) + "/input/";
        SCOPED_TRACE(prefix);
        std::visit(Stored{file, prefix},
                   sample(random, settings["length"], {.generator = generator}));
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, SamplersGolden, ::testing::ValuesIn(kSamplers),
                         [](const auto& info) { return info.param.first; });

}  // namespace
}  // namespace npq::clrs
