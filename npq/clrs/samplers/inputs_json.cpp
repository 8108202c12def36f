#include "npq/clrs/samplers/inputs_json.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>

#include "npq/base/printable.h"
#include "npq/clrs/samplers/json_fields.h"

namespace npq::clrs {
namespace {

Keys read_keys(JsonFields& fields) {
  Keys keys{fields.numbers("key")};
  fields.check_length("key", keys.key.size());
  return keys;
}

SortedKeysAndTarget read_sorted_keys(JsonFields& fields) {
  SortedKeysAndTarget in{fields.numbers("key"), fields.number("target")};
  fields.check_length("key", in.key.size());
  const auto fall = std::is_sorted_until(in.key.begin(), in.key.end()) - in.key.begin();
  if (fall != static_cast<std::ptrdiff_t>(in.key.size()))
    fields.fail("key[{}] is {}, less than key[{}]; binary_search needs its keys in rising order",
                fall, in.key[fall], fall - 1);
  return in;
}

Keys read_dimensions(JsonFields& fields) {
  Keys keys{fields.numbers("p")};
  fields.check_length("p", keys.key.size());
  for (std::size_t i = 0; i < keys.key.size(); ++i)
    if (keys.key[i] <= 0)
      fields.fail("p[{}] is {}; matrices have more than 0 rows and columns", i, keys.key[i]);
  return keys;
}

SearchTree read_search_tree(JsonFields& fields) {
  SearchTree tree{fields.numbers("p"), fields.numbers("q")};
  fields.check_length("p", tree.p.size());
  if (tree.p.size() >= kMostNodesOfAnInput)
    fields.fail("'p' has {} entries; at most {} are possible", tree.p.size(),
                kMostNodesOfAnInput - 1);
  if (tree.q.size() != tree.p.size() + 1)
    fields.fail("'p' has {} keys and 'q' has {} gaps; expected one gap more than keys",
                tree.p.size(), tree.q.size());
  for (const auto& [name, list] : {std::pair("p", &tree.p), std::pair("q", &tree.q)})
    for (std::size_t i = 0; i < list->size(); ++i)
      if ((*list)[i] < 0)
        fields.fail("{}[{}] is {}; a probability is not negative", name, i, (*list)[i]);
  const double sum = std::accumulate(tree.p.begin(), tree.p.end(), 0.0) +
                     std::accumulate(tree.q.begin(), tree.q.end(), 0.0);
  if (std::abs(sum - 1) > 1e-6)
    fields.fail("'p' and 'q' together sum to {}; probabilities sum to 1", sum);
  return tree;
}

Activities read_activities(JsonFields& fields) {
  Activities in{fields.numbers("start"), fields.numbers("finish")};
  fields.check_same_length("start", in.s.size(), "finish", in.f.size());
  fields.check_length("start", in.s.size());
  for (std::size_t i = 0; i < in.s.size(); ++i)
    if (in.f[i] < in.s[i])
      fields.fail("finish[{}] is {}, before start[{}], which is {}", i, in.f[i], i, in.s[i]);
  return in;
}

Tasks read_tasks(JsonFields& fields) {
  Tasks tasks;
  tasks.w = fields.numbers("weight");
  fields.check_length("weight", tasks.w.size());
  const auto& deadlines = fields.get("deadline");
  if (!deadlines.is_array())
    fields.fail("'deadline' is {}; expected a list", deadlines.type_name());
  fields.check_same_length("deadline", deadlines.size(), "weight", tasks.w.size());
  for (std::size_t i = 0; i < deadlines.size(); ++i) {
    const auto most = static_cast<std::int64_t>(deadlines.size());
    tasks.d.push_back(
        static_cast<int>(fields.integer_at(deadlines[i], fmt::format("deadline[{}]", i), 1, most)));
    if (tasks.w[i] < 0) fields.fail("weight[{}] is {}; a penalty is not negative", i, tasks.w[i]);
  }
  return tasks;
}

void check_total(const JsonFields& fields, const std::string& first, const std::string& second,
                 const Strings& in) {
  const auto total = in.first.size() + in.second.size();
  if (total > kMostNodesOfAnInput)
    fields.fail("'{}' and '{}' have {} letters together; at most {} are possible", first, second,
                total, kMostNodesOfAnInput);
}

Strings read_two_strings(JsonFields& fields) {
  Strings in{fields.letters("x"), fields.letters("y")};
  check_total(fields, "x", "y", in);
  return in;
}

Strings read_text_and_pattern(JsonFields& fields) {
  Strings in{fields.letters("text"), fields.letters("pattern")};
  check_total(fields, "text", "pattern", in);
  if (in.second.size() >= in.first.size())
    fields.fail("'pattern' has {} letters and 'text' has {}; expected a longer text",
                in.second.size(), in.first.size());
  return in;
}

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

/// Read, not mapped: it may be a pipe.
std::string content(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::error_code ignored;
  if (!file || std::filesystem::is_directory(path, ignored))
    throw Error("cannot read '{}'; expected a JSON file with one input", path.string());
  std::string text;
  std::vector<char> piece(1 << 16);
  while (file.read(piece.data(), static_cast<std::streamsize>(piece.size())) || file.gcount() > 0) {
    text.append(piece.data(), static_cast<std::size_t>(file.gcount()));
    if (text.size() > kLargestFile)
      throw Error("'{}' is larger than {} MB, which no input is", path.string(),
                  kLargestFile >> 20);
  }
  return text;
}

/// JSON forbids nothing about equal names, and readers differ in which one they take.
nlohmann::json parse(std::string_view text, const std::string& source) {
  std::vector<std::set<std::string>> names;
  std::string twice;
  const auto watch = [&](int, nlohmann::json::parse_event_t event, nlohmann::json& value) {
    using Event = nlohmann::json::parse_event_t;
    if (event == Event::object_start) names.emplace_back();
    if (event == Event::object_end) names.pop_back();
    if (event == Event::key && !names.back().insert(value.get<std::string>()).second)
      twice = value.get<std::string>();
    return true;
  };
  nlohmann::json json;
  try {
    json = nlohmann::json::parse(text.begin(), text.end(), watch);
  } catch (const nlohmann::json::exception& error) {
    // "[json.exception.parse_error.101] parse error at line 1, ...": the name helps nobody.
    const std::string_view what = error.what();
    throw Error("{} is no JSON: {}", source, printable(what.substr(what.find("] ") + 2), 200));
  }
  if (!twice.empty())
    throw Error("{}: '{}' is there twice; leave one of them out", source, printable(twice));
  return json;
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

Inputs read_inputs(const Algorithm& algorithm, const std::filesystem::path& path) {
  const auto source = fmt::format("'{}'", path.string());
  return inputs_from_json(algorithm, parse(content(path), source), source);
}

}  // namespace npq::clrs
