#include "npq/peptides/split.h"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <nlohmann/json.hpp>

#include "npq/base/error.h"
#include "npq/base/files/mapped_file.h"
#include "npq/base/formats/json_text.h"
#include "npq/base/pickle/pickle.h"
#include "npq/base/pickle/pickle_numpy.h"
#include "npq/base/printable.h"
#include "npq/peptides/random_rows.h"

namespace npq::peptides {
namespace {

using Rows = std::vector<std::int64_t>;

constexpr std::uint64_t kLargestSplit = 100'000'000;  // eight bytes for each of ten million rows

Rows rows_of(const PickleValue& value, const std::string& what) {
  if (is_numpy_array(value)) {
    const auto array = numpy_array(value, what);
    if (array.shape.size() != 1)
      throw Error("{} has {} axes; expected 1", what, array.shape.size());
    if (array.dtype == Dtype::I64) return array.values<std::int64_t>();
    if (array.dtype == Dtype::I32) {
      const auto narrow = array.values<std::int32_t>();
      return {narrow.begin(), narrow.end()};
    }
    throw Error("{} holds numbers of type {}; expected I64 or I32", what, dtype_name(array.dtype));
  }
  Rows rows;
  for (const auto* item : value.as_sequence(what)) rows.push_back(item->as_int(what));
  return rows;
}

Rows rows_of(const nlohmann::json& value, const std::string& what) {
  if (!value.is_array()) throw Error("{} is {}; expected a list", what, value.type_name());
  Rows rows;
  for (const auto& item : value) {
    if (!item.is_number_integer())
      throw Error("{} holds {}; expected whole numbers", what, item.dump());
    rows.push_back(item.get<std::int64_t>());
  }
  return rows;
}

/// `find` gives the value of a key, or nullptr.
template <class Find>
Split parts_of(const Find& find) {
  Split split;
  for (std::size_t k = 0; k < kPartNames.size(); ++k) {
    const auto name = kPartNames[k];
    auto* value = find(name);
    if (value == nullptr && name == "val") value = find("valid");
    if (value == nullptr)
      throw Error("it has no part '{}'; expected a dict of train, val and test", name);
    split.parts[k] = rows_of(*value, fmt::format("part '{}'", name));
  }
  return split;
}

Split split_of_json(std::string_view text) {
  const auto json = parse_json_object(text, "it", {.bytes = kLargestSplit});
  return parts_of([&](std::string_view key) -> const nlohmann::json* {
    const auto found = json.find(std::string(key));
    return found == json.end() ? nullptr : &*found;
  });
}

Split split_of_pickle(std::span<const std::byte> bytes, const std::string& name) {
  PickleOptions options;
  options.globals = numpy_globals();
  const auto pickle = Pickle::from_bytes(bytes, name, options);
  if (pickle.root().kind != PickleValue::Kind::Dict)
    throw Error("it holds {}; expected a dict of train, val and test",
                pickle_kind_name(pickle.root().kind));
  return parts_of([&](std::string_view key) { return pickle.root().find(key); });
}

bool looks_like_json(std::string_view text) {
  for (const char c : text)
    if (std::isspace(static_cast<unsigned char>(c)) == 0) return c == '{';
  return true;
}

}  // namespace

Split read_split(const std::filesystem::path& path) {
  const MappedFile file(path);
  const auto bytes = file.bytes();
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  try {
    return looks_like_json(text) ? split_of_json(text) : split_of_pickle(bytes, path.string());
  } catch (const Error& error) {
    const std::string why = error.what();
    if (why.find(path.string()) != why.npos) throw;  // the pickle reader names the file itself
    throw Error("'{}' is not a split: {}", path.string(), why);
  }
}

std::int64_t check_split(const Split& split, std::int64_t rows, const std::string& name) {
  std::vector<int> owner(static_cast<std::size_t>(rows), -1);
  std::int64_t left = rows;
  for (int part = 0; part < 3; ++part) {
    for (const auto row : split.parts[part]) {
      if (row < 0 || row >= rows)
        throw Error("'{}': part '{}' names row {}, but there are {} rows", name, kPartNames[part],
                    row, rows);
      auto& other = owner[static_cast<std::size_t>(row)];
      if (other == part)
        throw Error("'{}': part '{}' names row {} twice", name, kPartNames[part], row);
      if (other >= 0)
        throw Error("'{}': row {} is in '{}' and in '{}'", name, row, kPartNames[other],
                    kPartNames[part]);
      other = part;
      --left;
    }
  }
  return left;
}

Split random_split(std::int64_t rows, std::uint64_t seed) {
  std::vector<std::int64_t> order(static_cast<std::size_t>(rows));
  for (std::int64_t k = 0; k < rows; ++k) order[static_cast<std::size_t>(k)] = k;
  RowStream stream(seed, kSplitPurpose, 0);
  for (std::size_t k = order.size(); k > 1; --k) std::swap(order[k - 1], order[stream.below(k)]);
  const auto train = rows * 70 / 100, val = (rows - train) / 2;
  Split split;
  split[Part::Train].assign(order.begin(), order.begin() + train);
  split[Part::Val].assign(order.begin() + train, order.begin() + train + val);
  split[Part::Test].assign(order.begin() + train + val, order.end());
  return split;
}

}  // namespace npq::peptides
