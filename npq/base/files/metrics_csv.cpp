#include "npq/base/files/metrics_csv.h"

#include <cerrno>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "npq/base/error.h"
#include "npq/base/files/atomic_file.h"
#include "npq/base/files/file_error.h"
#include "npq/base/files/line_log.h"
#include "npq/base/formats/json_text.h"
#include "npq/base/printable.h"

namespace npq {
namespace {

using Json = nlohmann::ordered_json;  // keys in the order of the log

// The log is untrusted. Deep nesting would exhaust the stack; a new key in every line would
// make a table that grows with the square of the log.
constexpr int kDeepestRecord = 8;
constexpr std::size_t kMostColumns = 1000;

struct Place {
  std::size_t line;
  const std::string& file;
};

Json parse(const std::string& line, const Place& place) {
  return parse_ordered_object(line, fmt::format("line {} of '{}'", place.line, place.file),
                              {.depth = kDeepestRecord, .advice = "remove the line to go on"});
}

std::string quoted(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == text.npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted.append(c == '"' ? 2 : 1, c);
  return quoted + '"';
}

std::string cell(const Json& value) {
  if (value.is_null()) return "";
  return quoted(value.is_string() ? value.get<std::string>() : value.dump());
}

class Table {
 public:
  void add_row(const Json& object, const Place& place) {
    rows_.emplace_back();
    add_cells(object, "", place);
  }

  std::string csv() const {
    std::string text;
    for (std::size_t k = 0; k < names_.size(); ++k) text += (k > 0 ? "," : "") + quoted(names_[k]);
    text += '\n';
    for (const auto& row : rows_) {
      for (std::size_t k = 0; k < names_.size(); ++k) {
        if (k > 0) text += ',';
        if (const auto found = row.find(k); found != row.end()) text += found->second;
      }
      text += '\n';
    }
    return text;
  }

 private:
  void add_cells(const Json& object, const std::string& prefix, const Place& place) {
    for (const auto& [key, value] : object.items()) {
      const std::string name = prefix + key;
      if (value.is_object()) {
        add_cells(value, name + '/', place);
      } else if (!rows_.back().emplace(column(name, place), cell(value)).second) {
        throw Error("line {} of '{}' has '{}' twice; remove the line to go on", place.line,
                    place.file, printable(name));
      }
    }
  }

  std::size_t column(const std::string& name, const Place& place) {
    const auto [found, is_new] = columns_.emplace(name, names_.size());
    if (!is_new) return found->second;
    if (names_.size() == kMostColumns) {
      throw Error("'{}' has more than {} different keys by line {}; is it the log of a run?",
                  place.file, kMostColumns, place.line);
    }
    names_.push_back(name);
    return found->second;
  }

  std::vector<std::string> names_{"step"};
  std::map<std::string, std::size_t> columns_{{"step", 0}};
  std::vector<std::map<std::size_t, std::string>> rows_;  // column -> cell
};

}  // namespace

std::string metrics_csv(std::span<const std::string> lines, const std::string& file) {
  Table table;
  for (std::size_t k = 0; k < lines.size(); ++k) {
    const Place place{k + 1, file};
    table.add_row(parse(lines[k], place), place);
  }
  return table.csv();
}

void write_metrics_csv(const std::filesystem::path& jsonl, const std::filesystem::path& csv) {
  std::error_code ignored;
  if (!std::filesystem::exists(jsonl, ignored)) throw file_error("read", jsonl, ENOENT);
  write_file(csv, metrics_csv(read_lines(jsonl), jsonl.string()));
}

}  // namespace npq
