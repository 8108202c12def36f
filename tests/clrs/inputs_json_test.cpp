#include "npq/clrs/samplers/inputs_json.h"

#include <gmock/gmock.h>

#include <cmath>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>

#include "npq/clrs/dataset/dataset.h"
#include "tests/support/error_text.h"
#include "tests/support/temporary_folder.h"

namespace npq::clrs {
namespace {

using nlohmann::json;
using test::error_text;
using test::put_file;
using test::TemporaryFolder;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

Inputs read(const char* algorithm, const char* text) {
  return inputs_from_json(find_algorithm(algorithm), json::parse(text), "'mine.json'");
}
std::string refusal(const char* algorithm, const json& input) {
  const auto text =
      error_text([&] { inputs_from_json(find_algorithm(algorithm), input, "'mine.json'"); });
  EXPECT_THAT(text, StartsWith("'mine.json': "));
  return text.substr(text.find(": ") + 2);
}
std::string refusal(const char* algorithm, const char* text) {
  return refusal(algorithm, json::parse(text));
}

Sample run(const Algorithm& algorithm, const Inputs& inputs) {
  Trace trace(algorithm.spec());
  algorithm.run(inputs, trace);
  return trace.finish();
}

TEST(InputsJson, EveryAlgorithmRunsOnTheFormatItsHelpShows) {
  std::vector<const Algorithm*> all;
  for (const auto table : {catalog(), structure_tasks()})
    for (const auto& algorithm : table) all.push_back(&algorithm);
  for (const auto* one : all) {
    const auto& algorithm = *one;
    const auto inputs = inputs_from_json(algorithm, json::parse(input_format(algorithm)), "'help'");
    EXPECT_GE(run(algorithm, inputs).length(), 1) << algorithm.name;
  }
}

TEST(InputsJson, EveryFamilyHasAnExampleThatItsAlgorithmsRunOn) {
  struct Row {
    Family family;
    const char *file, *algorithm;
  };
  const Row rows[] = {
      {Family::Sorting, "sorting", "quicksort"},
      {Family::Searching, "searching", "binary_search"},
      {Family::DivideAndConquer, "divide_and_conquer", "find_maximum_subarray_kadane"},
      {Family::Greedy, "greedy", "activity_selector"},
      {Family::DynamicProgramming, "dynamic_programming", "matrix_chain_order"},
      {Family::Graphs, "graphs", "dijkstra"},
      {Family::Strings, "strings", "kmp_matcher"},
      {Family::Geometry, "geometry", "graham_scan"},
  };
  std::size_t files = 0;
  for (const auto& row : rows) {
    const auto& algorithm = find_algorithm(row.algorithm);
    EXPECT_EQ(algorithm.family, row.family);
    const auto path = std::string(NPQ_SOURCE_DIR "/examples/") + row.file + ".json";
    EXPECT_GT(run(algorithm, read_all_inputs(algorithm, path).front().inputs).length(), 1) << path;
    ++files;
  }
  std::size_t examples = 0;
  for (const auto& entry : std::filesystem::directory_iterator(NPQ_SOURCE_DIR "/examples"))
    examples += entry.path().extension() == ".json";
  EXPECT_EQ(files, examples);
}

TEST(InputsJson, ListsAreTakenAsTheyAre) {
  EXPECT_THAT(std::get<Keys>(read("heapsort", R"({"key": [3, 0.5, -1]})")).key,
              ElementsAre(3, 0.5, -1));
  const auto search =
      std::get<SortedKeysAndTarget>(read("binary_search", R"({"key": [1, 1, 2], "target": 7})"));
  EXPECT_EQ(search.target, 7);
  const auto tasks =
      std::get<Tasks>(read("task_scheduling", R"({"deadline": [2, 1], "weight": [0.4, 0.7]})"));
  EXPECT_THAT(tasks.d, ElementsAre(2, 1));
}

TEST(InputsJson, LettersBecomeTheNumbersOfTheBenchmark) {
  const auto strings =
      std::get<Strings>(read("kmp_matcher", R"({"text": "ABCD", "pattern": "CA"})"));
  EXPECT_THAT(strings.first, ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(strings.second, ElementsAre(2, 0));
}

TEST(InputsJson, EdgesGoBothWaysUnlessTheAlgorithmOrTheUserSaysOtherwise) {
  const auto weights = [](const char* algorithm, const char* text) {
    const auto inputs = read(algorithm, text);
    return inputs.index() == Inputs(Graph{}).index() ? std::get<Graph>(inputs).A.values()
                                                     : std::get<GraphWithSource>(inputs).A.values();
  };
  EXPECT_THAT(weights("dijkstra", R"({"nodes": 2, "edges": [[0, 1, 0.5]], "source": 1})"),
              ElementsAre(0, 0.5, 0.5, 0));
  EXPECT_THAT(
      weights("dijkstra", R"({"nodes": 2, "edges": [[0, 1, 0.5]], "source": 1, "directed": true})"),
      ElementsAre(0, 0.5, 0, 0));
  EXPECT_THAT(weights("dfs", R"({"nodes": 2, "edges": [[0, 1]]})"), ElementsAre(0, 1, 0, 0));
  EXPECT_THAT(weights("dfs", R"({"A": [[0, 1], [0, 1]]})"), ElementsAre(0, 1, 0, 1));
}

TEST(InputsJson, SegmentsAreTheirFourEnds) {
  const auto ends =
      std::get<Points>(read("segments_intersect", R"({"segments": [[1, 2, 3, 4], [5, 6, 7, 8]]})"));
  EXPECT_THAT(ends.x, ElementsAre(1, 3, 5, 7));
  EXPECT_THAT(ends.y, ElementsAre(2, 4, 6, 8));
}

TEST(InputsJson, WhatIsMissingUnknownOrOfAnotherKindIsNamed) {
  EXPECT_THAT(refusal("quicksort", "[1, 2]"), HasSubstr("it holds array; expected an object"));
  EXPECT_THAT(refusal("quicksort", "{}"), HasSubstr("'key' is missing; quicksort needs"));
  EXPECT_THAT(refusal("quicksort", R"({"key": [1, 2], "target": 3})"),
              HasSubstr("'target' is not a field of quicksort; expected {\"key\""));
  EXPECT_THAT(refusal("binary_search", R"({"key": [1, 2], "target": 3, "keys": []})"),
              HasSubstr("'keys' is not a field of binary_search (did you mean 'key'?)"));
  EXPECT_THAT(refusal("quicksort", R"({"key": "abc"})"),
              HasSubstr("'key' is \"abc\"; expected a list of numbers"));
  EXPECT_THAT(refusal("quicksort", R"({"key": [1, null]})"), HasSubstr("key[1] is null"));
}

TEST(InputsJson, NumbersMustBeFiniteAndOfOrdinarySize) {
  json input = {{"key", {1.0, std::numeric_limits<double>::quiet_NaN()}}};
  EXPECT_THAT(refusal("quicksort", input), HasSubstr("key[1] is nan; expected a finite number"));
  input["key"][1] = -std::numeric_limits<double>::infinity();
  EXPECT_THAT(refusal("quicksort", input), HasSubstr("key[1] is -inf"));
  EXPECT_THAT(refusal("matrix_chain_order", R"({"p": [1, 1e300, 1]})"),
              HasSubstr("p[1] is 1e+300; expected a number between"));
}

TEST(InputsJson, ListsHaveLengthsThatTheAlgorithmCanUse) {
  EXPECT_THAT(refusal("quicksort", R"({"key": []})"),
              HasSubstr("'key' has 0 entries; quicksort needs at least 2"));
  EXPECT_THAT(refusal("graham_scan", R"({"x": [1, 2], "y": [1, 2]})"), HasSubstr("at least 3"));
  EXPECT_THAT(refusal("quicksort", json{{"key", std::vector<double>(1025, 0.5)}}),
              HasSubstr("'key' has 1025 entries; at most 1024 are possible"));
  EXPECT_THAT(refusal("activity_selector", R"({"start": [0, 1], "finish": [1]})"),
              HasSubstr("'start' has 2 entries but 'finish' has 1"));
  EXPECT_THAT(refusal("task_scheduling", R"({"deadline": [1], "weight": [1, 2]})"),
              HasSubstr("'deadline' has 1 entries but 'weight' has 2"));
  EXPECT_THAT(refusal("optimal_bst", R"({"p": [0.5, 0.5], "q": [0, 0]})"),
              HasSubstr("expected one gap more than keys"));
  EXPECT_THAT(refusal("segments_intersect", R"({"segments": [[0, 0, 1, 1]]})"),
              HasSubstr("'segments' must be a list of two"));
}

TEST(InputsJson, EachAlgorithmsOwnRulesAreChecked) {
  EXPECT_THAT(refusal("binary_search", R"({"key": [1, 3, 2], "target": 3})"),
              HasSubstr("key[2] is 2, less than key[1]"));
  EXPECT_THAT(refusal("matrix_chain_order", R"({"p": [1, 0, 1]})"), HasSubstr("p[1] is 0"));
  EXPECT_THAT(refusal("optimal_bst", R"({"p": [0.5, 0.6], "q": [0, 0, 0]})"),
              HasSubstr("sum to 1.1; probabilities sum to 1"));
  EXPECT_THAT(refusal("optimal_bst", R"({"p": [0.5, -0.5], "q": [0, 0, 1]})"),
              HasSubstr("p[1] is -0.5"));
  EXPECT_THAT(refusal("activity_selector", R"({"start": [0, 1], "finish": [1, 0.5]})"),
              HasSubstr("finish[1] is 0.5, before start[1], which is 1"));
  EXPECT_THAT(refusal("task_scheduling", R"({"deadline": [1, 3], "weight": [1, 2]})"),
              HasSubstr("deadline[1] is 3; expected a whole number from 1 to 2"));
  EXPECT_THAT(refusal("task_scheduling", R"({"deadline": [1, 2], "weight": [1, -2]})"),
              HasSubstr("weight[1] is -2; a penalty is not negative"));
  EXPECT_THAT(refusal("graham_scan", R"({"x": [0, 1, 0], "y": [0, 1, 0]})"),
              HasSubstr("points 0 and 2 are the same"));
  EXPECT_THAT(refusal("jarvis_march", R"({"x": [0, 1, 2], "y": [0, 1, 2]})"),
              HasSubstr("lie on one line"));
  EXPECT_THAT(refusal("segments_intersect", R"({"segments": [[0, 0, 1, 1], [2, 3, 2, 3]]})"),
              HasSubstr("segments[1] begins where it ends"));
}

TEST(InputsJson, OperationsSayAfterWhichPushSomethingIsPopped) {
  const auto operations =
      std::get<Operations>(read("stack", R"({"key": [0.3, 0.1, 0.2], "pop_after": [0, 1, 1]})"));
  EXPECT_THAT(operations.pop_after, ElementsAre(0, 1, 1));
  EXPECT_THAT(refusal("queue", R"({"key": [1, 2], "pop_after": [0, 2]})"),
              HasSubstr("pop_after[1] is 2; expected a whole number from 0 to 1"));
  EXPECT_THAT(refusal("queue", R"({"key": [1, 2], "pop_after": [0]})"),
              HasSubstr("'pop_after' has 1 entries but 'key' has 2"));
}

TEST(InputsJson, StringsHaveLettersOfTheAlphabetAndATextLongerThanItsPattern) {
  EXPECT_THAT(refusal("lcs_length", R"({"x": "ABE", "y": "A"})"),
              HasSubstr("'x' has 'E' at position 2; expected the letters A, B, C and D"));
  EXPECT_THAT(refusal("lcs_length", R"({"x": "A", "y": ""})"), HasSubstr("'y' is empty"));
  EXPECT_THAT(refusal("kmp_matcher", R"({"text": "AB", "pattern": "AB"})"),
              HasSubstr("expected a longer text"));
  EXPECT_THAT(refusal("kmp_matcher", json{{"text", std::string(2000, 'A')}, {"pattern", "A"}}),
              HasSubstr("at most 1024"));
}

TEST(InputsJson, NodesOfAGraphExist) {
  const auto of = [](const char* fields) { return refusal("dijkstra", fields); };
  EXPECT_THAT(of(R"({"nodes": 1, "edges": [], "source": 0})"),
              HasSubstr("'nodes' is 1; expected a whole number from 2 to 1024"));
  EXPECT_THAT(of(R"({"nodes": 60000, "edges": [], "source": 0})"), HasSubstr("'nodes' is 60000"));
  EXPECT_THAT(of(R"({"nodes": 18446744073709551615, "edges": [], "source": 0})"),
              HasSubstr("'nodes' is 18446744073709551615"));
  EXPECT_THAT(of(R"({"nodes": 2.5, "edges": [], "source": 0})"), HasSubstr("'nodes' is 2.5"));
  EXPECT_THAT(of(R"({"nodes": 2, "edges": [[0, 2, 1]], "source": 0})"),
              HasSubstr("edges[0][1] is 2; expected a whole number from 0 to 1"));
  EXPECT_THAT(of(R"({"nodes": 2, "edges": [[0, 1, 1]], "source": -1})"),
              HasSubstr("'source' is -1"));
  EXPECT_THAT(of(R"({"nodes": 2, "edges": [[0, 1, 1]]})"), HasSubstr("'source' is missing"));
  EXPECT_THAT(of(R"({"A": [[0, 1], [1]], "s": 0})"), HasSubstr("A[1] must be a list of 2 numbers"));
}

TEST(InputsJson, EdgesHaveTheWeightsTheirAlgorithmKnows) {
  const auto edges = [](const char* algorithm, const char* list) {
    json input = {{"nodes", 3}, {"edges", json::parse(list)}};
    if (std::string(algorithm) != "dfs" && std::string(algorithm) != "mst_kruskal")
      input["source"] = 0;
    return refusal(algorithm, input);
  };
  EXPECT_THAT(edges("dijkstra", "[[0, 1]]"), HasSubstr("edges[0] must be [from, to, weight]"));
  EXPECT_THAT(edges("dijkstra", "[[0, 1, 0]]"), HasSubstr("weighs 0, which would mean no edge"));
  EXPECT_THAT(edges("dijkstra", "[[0, 1, -1]]"), HasSubstr("needs weights above 0"));
  EXPECT_THAT(edges("mst_kruskal", "[[0, 1, -1]]"), HasSubstr("needs weights above 0"));
  EXPECT_THAT(edges("dfs", "[[0, 1, 2]]"), HasSubstr("dfs knows no weights"));
  EXPECT_THAT(edges("dijkstra", "[[0, 1, 1], [1, 0, 2]]"),
              HasSubstr("edges[1] from 1 to 0 is there already"));
  EXPECT_THAT(edges("bellman_ford", "[[0, 1, -1]]"), HasSubstr("cycle of negative weight"));
}

TEST(InputsJson, NegativeWeightsAreFineWithoutANegativeCycle) {
  EXPECT_NO_THROW(read(
      "bellman_ford",
      R"({"nodes": 3, "edges": [[0, 1, 2], [1, 2, -1], [2, 0, -1]], "source": 0, "directed": true})"));
  EXPECT_THAT(
      refusal("floyd_warshall",
              R"({"nodes": 3, "edges": [[0, 1, 2], [1, 2, -1], [2, 0, -1.5]], "directed": true})"),
      HasSubstr("cycle of negative weight"));
}

TEST(InputsJson, GraphsHaveTheDirectionTheirAlgorithmIsAbout) {
  EXPECT_THAT(refusal("mst_prim", R"({"A": [[0, 1], [2, 0]], "s": 0})"),
              HasSubstr("A[0][1] is 1 but A[1][0] is 2; mst_prim needs a symmetric matrix"));
  EXPECT_THAT(refusal("bridges", R"({"nodes": 2, "edges": [[0, 1]], "directed": true})"),
              HasSubstr("bridges is about undirected graphs"));
  EXPECT_THAT(refusal("topological_sort", R"({"nodes": 2, "edges": [], "directed": false})"),
              HasSubstr("directed graphs without cycles"));
  EXPECT_THAT(refusal("topological_sort", R"({"nodes": 3, "edges": [[0, 1], [1, 2], [2, 1]]})"),
              HasSubstr("the graph has a cycle"));
  EXPECT_THAT(refusal("dag_shortest_paths", R"({"nodes": 2, "edges": [[1, 1, 3]], "source": 0})"),
              HasSubstr("the graph has a cycle"));
}

TEST(InputsJson, FilesThatAreNoJsonOrNameAFieldTwiceAreRefused) {
  const TemporaryFolder folder;
  const auto& quicksort = find_algorithm("quicksort");
  const auto of = [&](const std::string& content) {
    put_file(folder / "x.json", content);
    return error_text([&] { read_all_inputs(quicksort, folder / "x.json"); });
  };
  EXPECT_THAT(of(R"({"key": [1, NaN]})"),
              HasSubstr("x.json' is malformed JSON at line 1, column 13"));
  EXPECT_THAT(of(R"({"key": [1, 1e999]})"), HasSubstr("1e999 at line 1"));
  EXPECT_THAT(of(R"({"key": [1)"), HasSubstr("is malformed JSON"));
  EXPECT_THAT(of(""), HasSubstr("is malformed JSON"));
  EXPECT_THAT(of(std::string(100000, '[')), HasSubstr("nested more than 32 deep"));
  EXPECT_THAT(of(R"({"key": [1, 2], "key": [3, 4]})"), HasSubstr("'key' is there twice"));
  EXPECT_THAT(error_text([&] { read_all_inputs(quicksort, folder / "none.json"); }),
              HasSubstr("cannot read"));
  EXPECT_THAT(error_text([&] { read_all_inputs(quicksort, folder.path()); }),
              HasSubstr("cannot read"));
}

}  // namespace
}  // namespace npq::clrs
