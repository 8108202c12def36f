#pragma once
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "npq/base/error.h"
#include "npq/clrs/catalog.h"
#include "npq/clrs/trace/arrays.h"

// How the readers of JSON inputs look at fields; not for use outside this folder.
namespace npq::clrs {

/// An input's object: every access checks the field, and done() refuses unknown fields.
class JsonFields {
 public:
  /// `source` (a file's name) begins every message.
  JsonFields(const Algorithm& algorithm, const nlohmann::json& json, const std::string& source);

  const Algorithm& algorithm() const { return *algorithm_; }
  bool has(const std::string& name);
  /// The field as it is; a missing one is an Error.
  const nlohmann::json& get(const std::string& name);

  double number(const std::string& name);
  std::vector<double> numbers(const std::string& name);
  std::int64_t integer(const std::string& name, std::int64_t least, std::int64_t most);
  bool flag(const std::string& name);
  /// Letters A to D as 0 to 3.
  std::vector<std::uint8_t> letters(const std::string& name);

  /// A value inside a field, which `place` names: "edges[3]".
  double number_at(const nlohmann::json& value, const std::string& place) const;
  std::int64_t integer_at(const nlohmann::json& value, const std::string& place, std::int64_t least,
                          std::int64_t most) const;

  /// Lists must have at least the algorithm's smallest and at most the largest length.
  void check_length(const std::string& name, std::size_t length) const;
  void check_same_length(const std::string& first, std::size_t length, const std::string& second,
                         std::size_t other) const;

  /// Throws if the object holds fields that no call asked for.
  void done() const;

  template <class... Args>
  [[noreturn]] void fail(fmt::format_string<Args...> format, Args&&... args) const {
    throw Error("{}: {}", source_, fmt::format(format, std::forward<Args>(args)...));
  }

 private:
  const Algorithm* algorithm_;
  const nlohmann::json* json_;
  std::string source_;
  std::vector<std::string> asked_;
};

// One reader per kind of input.
Keys read_keys(JsonFields& fields);
SortedKeysAndTarget read_sorted_keys(JsonFields& fields);
Keys read_dimensions(JsonFields& fields);
SearchTree read_search_tree(JsonFields& fields);
Activities read_activities(JsonFields& fields);
Tasks read_tasks(JsonFields& fields);
Operations read_operations(JsonFields& fields);
Strings read_two_strings(JsonFields& fields);
Strings read_text_and_pattern(JsonFields& fields);
Graph read_graph(JsonFields& fields);
GraphWithSource read_graph_with_source(JsonFields& fields);
Points read_points(JsonFields& fields);
Points read_segments(JsonFields& fields);

}  // namespace npq::clrs
