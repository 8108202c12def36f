#include "npq/peptides/torch_file.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>

#include "npq/base/error.h"
#include "npq/base/formats/array_data.h"
#include "npq/base/formats/zip_directory.h"
#include "npq/base/pickle/pickle.h"
#include "npq/base/printable.h"

namespace npq::peptides {
namespace {

using Kind = PickleValue::Kind;

constexpr std::string_view kRebuild = "torch._utils._rebuild_tensor_v2";

PickleOptions allowed() {
  PickleOptions options;
  options.globals = {std::string(kRebuild), "torch.LongStorage", "torch.FloatStorage",
                     "collections.OrderedDict"};
  options.persistent_ids = true;
  options.most_values = 20'000'000;
  return options;
}

/// The archive: a pickle that speaks of numbered stores of numbers, and these.
class Archive {
 public:
  Archive(std::span<const std::byte> bytes, const std::string& name) : bytes_(bytes), name_(name) {
    for (auto& entry : read_zip_directory(bytes, name, StreamedEntries::Read)) {
      if (entry.name.ends_with("/data.pkl"))
        folder_ = entry.name.substr(0, entry.name.size() - std::string_view("data.pkl").size());
      const auto key = entry.name;
      entries_.emplace(key, std::move(entry));
    }
    if (folder_.empty()) throw Error("'{}' was not saved by PyTorch: it has no data.pkl", name);
  }

  std::vector<std::byte> content(const std::string& file) const {
    const auto found = entries_.find(folder_ + file);
    if (found == entries_.end())
      throw Error("'{}' has no entry '{}', which its pickle refers to", name_, printable(file));
    return read_zip_entry(bytes_, found->second, name_);
  }

 private:
  std::span<const std::byte> bytes_;
  const std::string& name_;
  std::string folder_;
  std::map<std::string, ZipEntry> entries_;
};

/// A tensor of two axes, row by row.
template <class Number>
struct StoredMatrix {
  std::int64_t rows = 0, columns = 0;
  std::vector<Number> numbers;
};

std::pair<std::int64_t, std::int64_t> pair_of(const PickleValue& value, const std::string& what) {
  const auto items = value.as_sequence(what);
  if (items.size() != 2) throw Error("{} has {} axes; expected 2", what, items.size());
  return {items[0]->as_int(what), items[1]->as_int(what)};
}

/// _rebuild_tensor_v2(('storage', type, key, device, count), offset, shape, strides, ...).
template <class Number>
StoredMatrix<Number> matrix_of(const PickleValue& value, const Archive& archive,
                               std::string_view storage, const std::string& what) {
  if (!value.is_object(kRebuild)) throw Error("{} is not a tensor", what);
  const auto parts = value.args->as_sequence(what);
  if (parts.size() < 4 || parts[0]->kind != Kind::Persistent || parts[0]->args == nullptr)
    throw Error("{} lacks its numbers", what);
  const auto id = parts[0]->args->as_sequence(what);
  if (id.size() < 3 || id[1]->kind != Kind::Global || id[1]->text != storage)
    throw Error("{} is of another type than {}", what, storage);
  const auto offset = parts[1]->as_int(what);
  const auto [rows, columns] = pair_of(*parts[2], what);
  const auto [row_stride, column_stride] = pair_of(*parts[3], what);
  if (rows < 0 || columns < 0 || offset < 0) throw Error("{} has negative sizes", what);
  const auto content = archive.content("data/" + std::string(id[2]->as_text(what)));
  const auto there = static_cast<std::int64_t>(content.size() / sizeof(Number));
  const bool fits = rows == 0 || columns == 0 ||
                    (row_stride == columns && (column_stride == 1 || columns == 1)) ||
                    (rows == 1 && column_stride == 1);
  if (!fits) throw Error("{} is not stored row by row", what);
  if (columns != 0 && rows > (there - std::min(offset, there)) / columns)
    throw Error("{} has {} x {} numbers, but {} are stored", what, rows, columns, there);
  StoredMatrix<Number> matrix{rows, columns, {}};
  matrix.numbers.resize(static_cast<std::size_t>(rows * columns));
  if (!matrix.numbers.empty())
    std::memcpy(matrix.numbers.data(),
                content.data() + static_cast<std::size_t>(offset) * sizeof(Number),
                matrix.numbers.size() * sizeof(Number));
  return matrix;
}

template <std::size_t count>
std::vector<std::array<std::uint8_t, count>> features_of(const StoredMatrix<std::int64_t>& matrix,
                                                         const std::string& what) {
  if (matrix.columns != static_cast<std::int64_t>(count))
    throw Error("{} has {} columns; expected {}", what, matrix.columns, count);
  std::vector<std::array<std::uint8_t, count>> rows(static_cast<std::size_t>(matrix.rows));
  for (std::size_t k = 0; k < matrix.numbers.size(); ++k) {
    const auto number = matrix.numbers[k];
    // Whether a table has such a row is asked later; here only that nothing is cut off.
    if (number < 0 || number > 255)
      throw Error("{} holds {} in row {}, which is not a value of any feature", what, number,
                  k / count);
    rows[k / count][k % count] = static_cast<std::uint8_t>(number);
  }
  return rows;
}

std::vector<Edge> edges_of(const StoredMatrix<std::int64_t>& matrix, const std::string& what) {
  if (matrix.rows != 2) throw Error("{} has {} rows; expected 2", what, matrix.rows);
  std::vector<Edge> edges;
  const auto node = [&](std::int64_t k) {
    const auto number = matrix.numbers[static_cast<std::size_t>(k)];
    if (number < 0 || number > std::numeric_limits<std::int32_t>::max())
      throw Error("{} names node {}", what, number);
    return static_cast<std::int32_t>(number);
  };
  for (std::int64_t e = 0; e < matrix.columns; ++e)
    edges.push_back({node(e), node(matrix.columns + e)});
  return edges;
}

Targets targets_of(const StoredMatrix<float>& matrix, const std::string& what) {
  if (matrix.rows != 1 || matrix.columns != kTargets)
    throw Error("{} has shape [{}, {}]; expected [1, {}]", what, matrix.rows, matrix.columns,
                kTargets);
  Targets targets;
  for (int k = 0; k < kTargets; ++k) {
    targets[k] = matrix.numbers[static_cast<std::size_t>(k)];
    if (!std::isfinite(targets[k])) throw Error("{} holds {} as target {}", what, targets[k], k);
  }
  return targets;
}

void add_molecule(Featurised& all, const PickleValue& value, const Archive& archive) {
  constexpr std::string_view kLong = "torch.LongStorage", kFloat = "torch.FloatStorage";
  const auto parts = value.as_sequence("the tuple");
  if (parts.size() != 4)
    throw Error("it has {} parts; expected x, edge_attr, edge_index, y", parts.size());
  Graph graph;
  graph.atoms =
      features_of<kAtomFeatures>(matrix_of<std::int64_t>(*parts[0], archive, kLong, "x"), "x");
  graph.bonds = features_of<kBondFeatures>(
      matrix_of<std::int64_t>(*parts[1], archive, kLong, "edge_attr"), "edge_attr");
  graph.edges =
      edges_of(matrix_of<std::int64_t>(*parts[2], archive, kLong, "edge_index"), "edge_index");
  if (const auto wrong = problem_of(graph); !wrong.empty()) throw Error("{}", wrong);
  all.targets.push_back(targets_of(matrix_of<float>(*parts[3], archive, kFloat, "y"), "y"));
  all.graphs.push_back(std::move(graph));
}

}  // namespace

Featurised read_featurised(std::span<const std::byte> bytes, const std::string& name) {
  const Archive archive(bytes, name);
  const auto words = archive.content("data.pkl");
  const auto pickle = Pickle::from_bytes(words, name, allowed());
  Featurised all;
  std::int64_t row = 0;
  try {
    for (const auto* value : pickle.root().as_sequence("what the file holds")) {
      add_molecule(all, *value, archive);
      ++row;
    }
  } catch (const Error& error) {
    throw Error("'{}', row {}: {}", name, row, error.what());
  }
  return all;
}

}  // namespace npq::peptides
