#include "npq/clrs/samplers/inputs_json.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "npq/base/files/json_file.h"
#include "npq/clrs/samplers/json_fields.h"

namespace npq::clrs {
namespace {

/// How the input of an algorithm is read, and what it looks like.
struct Reader {
  std::vector<std::string_view> algorithms;
  Inputs (*read)(JsonFields&);
  std::string_view format;
};

template <auto function>
Inputs as_inputs(JsonFields& fields) {
  return function(fields);
}

const std::vector<Reader>& readers() {
  static const std::vector<Reader> all = {
      {{"insertion_sort", "bubble_sort", "heapsort", "quicksort", "minimum", "quickselect"},
       as_inputs<read_keys>,
       R"({"key": [0.3, 0.1, 0.2]})"},
      {{"find_maximum_subarray_kadane"}, as_inputs<read_keys>, R"({"key": [-0.3, 0.1, 0.2]})"},
      {{"binary_search"},
       as_inputs<read_sorted_keys>,
       R"({"key": [0.1, 0.2, 0.3], "target": 0.2})"},
      {{"matrix_chain_order"}, as_inputs<read_dimensions>, R"({"p": [0.30, 0.35, 0.15]})"},
      {{"optimal_bst"}, as_inputs<read_search_tree>, R"({"p": [0.3, 0.2], "q": [0.2, 0.1, 0.2]})"},
      {{"activity_selector"},
       as_inputs<read_activities>,
       R"({"start": [0.1, 0.3], "finish": [0.4, 0.5]})"},
      {{"task_scheduling"}, as_inputs<read_tasks>, R"({"deadline": [2, 1], "weight": [0.4, 0.7]})"},
      {{"priority_queue", "stack", "queue"},
       as_inputs<read_operations>,
       R"({"key": [0.3, 0.1, 0.2], "pop_after": [0, 1, 1]})"},
      {{"lcs_length"}, as_inputs<read_two_strings>, R"({"x": "ABCB", "y": "BCD"})"},
      {{"naive_string_matcher", "kmp_matcher"},
       as_inputs<read_text_and_pattern>,
       R"({"text": "ABADC", "pattern": "AD"})"},
      {{"segments_intersect"},
       as_inputs<read_segments>,
       R"({"segments": [[0, 0, 1, 1], [0, 1, 1, 0]]})"},
      {{"graham_scan", "jarvis_march"},
       as_inputs<read_points>,
       R"({"x": [0, 1, 0], "y": [0, 0, 1]})"},
      {{"mst_prim", "dijkstra", "bellman_ford", "dag_shortest_paths"},
       as_inputs<read_graph_with_source>,
       R"({"nodes": 3, "edges": [[0, 1, 0.5], [1, 2, 0.7]], "source": 0})"},
      {{"bfs"},
       as_inputs<read_graph_with_source>,
       R"({"nodes": 3, "edges": [[0, 1], [1, 2]], "source": 0})"},
      {{"mst_kruskal", "floyd_warshall"},
       as_inputs<read_graph>,
       R"({"nodes": 3, "edges": [[0, 1, 0.5], [1, 2, 0.7]]})"},
      {{"dfs", "topological_sort", "articulation_points", "bridges",
        "strongly_connected_components"},
       as_inputs<read_graph>,
       R"({"nodes": 3, "edges": [[0, 1], [1, 2]]})"},
  };
  return all;
}

const Reader& reader_of(const Algorithm& algorithm) {
  for (const auto& reader : readers())
    if (std::ranges::find(reader.algorithms, algorithm.name) != reader.algorithms.end())
      return reader;
  NPQ_ASSERT(!"every algorithm has a reader of its inputs");
}

constexpr std::size_t kLargestFile = 64 << 20;
const JsonOptions kInputJson{.bytes = kLargestFile, .unique_names = true};

/// The lines of a file that has an object on each, with their numbers; none if the first line is
/// only the beginning of one.
std::vector<std::pair<int, std::string>> lines_with_objects(const std::string& text) {
  std::vector<std::pair<int, std::string>> lines;
  std::istringstream stream(text);
  int number = 0;
  for (std::string line; std::getline(stream, line);) {
    ++number;
    if (line.find_first_not_of(" \t\r") == line.npos) continue;
    if (lines.empty() && json_or_null(line, kInputJson).is_null()) return {};
    lines.emplace_back(number, line);
  }
  return lines.size() > 1 ? lines : std::vector<std::pair<int, std::string>>();
}

}  // namespace

std::string input_format(const Algorithm& algorithm) {
  return std::string(reader_of(algorithm).format);
}

Inputs inputs_from_json(const Algorithm& algorithm, const nlohmann::json& json,
                        const std::string& source) {
  JsonFields fields(algorithm, json, source);
  auto inputs = reader_of(algorithm).read(fields);
  fields.done();
  return inputs;
}

Inputs parse_inputs(const Algorithm& algorithm, std::string_view text, const std::string& source) {
  return inputs_from_json(algorithm, parse_json(text, source, kInputJson), source);
}

std::vector<NamedInputs> read_all_inputs(const Algorithm& algorithm,
                                         const std::filesystem::path& path) {
  const bool standard = path == "-";
  const auto text = read_text(standard ? "/dev/stdin" : path, kLargestFile);
  const auto name = standard ? "standard input" : fmt::format("'{}'", path.string());
  std::vector<NamedInputs> all;
  if (const auto begin = text.find_first_not_of(" \t\r\n");
      begin != text.npos && text[begin] == '[') {
    for (const auto& one : parse_json(text, name, kInputJson)) {
      const auto source = fmt::format("{}, input {}", name, all.size() + 1);
      all.push_back({source, inputs_from_json(algorithm, one, source)});
    }
    if (all.empty()) throw Error("{} is an empty list; expected at least one input", name);
    return all;
  }
  const auto lines = lines_with_objects(text);
  for (const auto& [number, line] : lines) {
    const auto source = fmt::format("{}, line {}", name, number);
    all.push_back({source, parse_inputs(algorithm, line, source)});
  }
  if (all.empty()) all.push_back({name, parse_inputs(algorithm, text, name)});
  return all;
}

}  // namespace npq::clrs
