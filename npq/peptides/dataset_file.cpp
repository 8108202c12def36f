// peptides.safetensors, our file of molecules; docs/peptides.md describes it.
#include <cmath>
#include <cstring>

#include "npq/base/error.h"
#include "npq/base/files/mapped_file.h"
#include "npq/base/formats/safetensors.h"
#include "npq/base/formats/safetensors_writer.h"
#include "npq/base/formats/tensor_checksums.h"
#include "npq/peptides/dataset.h"

namespace npq::peptides {
namespace {

constexpr const char* kFormat = "npq-peptides-1";

template <class Row>
std::span<const std::byte> bytes_of(const std::vector<Row>& rows) {
  static_assert(std::is_trivially_copyable_v<Row>);
  return std::as_bytes(std::span(rows));
}

/// All graphs end to end.
struct Flat {
  std::vector<std::int64_t> node_begin = {0}, edge_begin = {0};
  std::vector<Atom> atoms;
  std::vector<Edge> edges;
  std::vector<Bond> bonds;

  void add(const Graph& graph) {
    atoms.insert(atoms.end(), graph.atoms.begin(), graph.atoms.end());
    edges.insert(edges.end(), graph.edges.begin(), graph.edges.end());
    bonds.insert(bonds.end(), graph.bonds.begin(), graph.bonds.end());
    node_begin.push_back(static_cast<std::int64_t>(atoms.size()));
    edge_begin.push_back(static_cast<std::int64_t>(edges.size()));
  }
};

class Reader {
 public:
  explicit Reader(const SafetensorsFile& file) : file_(file) {
    if (text("format") != kFormat)
      throw Error(
          "'{}' is not a data set of peptides (its format is '{}'; expected '{}'); make one "
          "with npq peptides import or npq peptides generate",
          file.name(), text("format"), kFormat);
    TensorChecksums sums(file.metadata());
    for (const auto& info : file.tensors())
      sums.add(info.name, info.dtype, info.shape, file.bytes(info.name));
    for (const auto& [key, sum] : sums.finish())
      if (sum != text(key)) throw damaged("it does not have the checksum it states");
  }

  Dataset dataset() const {
    Dataset dataset;
    dataset.targets = rows<Targets>("targets", Dtype::F64, {kTargets});
    const auto count = dataset.targets.size();
    dataset.mean = single(rows<Targets>("mean", Dtype::F64, {kTargets}));
    dataset.deviation = single(rows<Targets>("deviation", Dtype::F64, {kTargets}));
    check_numbers(dataset);
    read_graphs(dataset, count);
    for (std::size_t part = 0; part < 3; ++part)
      dataset.split.parts[part] = file_.values<std::int64_t>(kPartNames[part]);
    check_split(dataset.split, static_cast<std::int64_t>(count), file_.name());
    dataset.about = file_.metadata();
    dataset.about.erase("format");
    dataset.about.erase(TensorChecksums::kData);
    dataset.about.erase(TensorChecksums::kHeader);
    return dataset;
  }

 private:
  std::string text(const std::string& key) const {
    const auto found = file_.metadata().find(key);
    return found == file_.metadata().end() ? std::string() : found->second;
  }

  Error damaged(const std::string& why) const {
    return Error("'{}' is damaged: {}; make it again or use another copy", file_.name(), why);
  }

  /// [rows, ...] as rows; of any shape but the right one an Error.
  template <class Row>
  std::vector<Row> rows(const char* name, Dtype dtype, std::vector<std::int64_t> inner) const {
    const auto& info = file_.at(name);
    if (info.dtype != dtype || info.shape.size() != 1 + inner.size() ||
        !std::equal(inner.begin(), inner.end(), info.shape.begin() + 1))
      throw damaged(fmt::format("'{}' has another type or shape", name));
    const auto bytes = file_.bytes(name);
    std::vector<Row> result(bytes.size() / sizeof(Row));
    if (!bytes.empty()) std::memcpy(result.data(), bytes.data(), bytes.size());
    return result;
  }

  Targets single(const std::vector<Targets>& given) const {
    if (given.size() != 1) throw damaged("it has several means or deviations");
    return given.front();
  }

  void check_numbers(const Dataset& dataset) const {
    for (int k = 0; k < kTargets; ++k)
      if (!std::isfinite(dataset.mean[k]) || !(dataset.deviation[k] > 0) ||
          !std::isfinite(dataset.deviation[k]))
        throw damaged("it has a mean or deviation that is not a number");
    for (const auto& row : dataset.targets)
      for (const double target : row)
        if (!std::isfinite(target)) throw damaged("it has a target that is not a number");
  }

  /// Offsets that begin at 0, never fall and end at `last`.
  std::vector<std::int64_t> offsets(const char* name, std::size_t count, std::size_t last) const {
    auto begin = file_.values<std::int64_t>(name);
    bool sound = begin.size() == count + 1 && begin.front() == 0 &&
                 begin.back() == static_cast<std::int64_t>(last);
    for (std::size_t k = 0; sound && k + 1 < begin.size(); ++k) sound = begin[k] <= begin[k + 1];
    if (!sound) throw damaged(fmt::format("'{}' does not divide it into {} graphs", name, count));
    return begin;
  }

  void read_graphs(Dataset& dataset, std::size_t count) const {
    const auto atoms = rows<Atom>("atoms", Dtype::U8, {kAtomFeatures});
    const auto edges = rows<Edge>("edges", Dtype::I32, {2});
    const auto bonds = rows<Bond>("bonds", Dtype::U8, {kBondFeatures});
    if (bonds.size() != edges.size()) throw damaged("'edges' and 'bonds' differ in length");
    const auto nodes = offsets("node_begin", count, atoms.size()),
               lines = offsets("edge_begin", count, edges.size());
    for (std::size_t g = 0; g < count; ++g) {
      Graph graph{.atoms = {atoms.begin() + nodes[g], atoms.begin() + nodes[g + 1]},
                  .edges = {edges.begin() + lines[g], edges.begin() + lines[g + 1]},
                  .bonds = {bonds.begin() + lines[g], bonds.begin() + lines[g + 1]}};
      if (const auto wrong = problem_of(graph); !wrong.empty())
        throw damaged(fmt::format("graph {}: {}", g, wrong));
      dataset.graphs.push_back(std::move(graph));
    }
  }

  const SafetensorsFile& file_;
};

}  // namespace

std::filesystem::path dataset_file(const std::filesystem::path& folder) {
  return folder / "peptides.safetensors";
}

void save_dataset(const std::filesystem::path& folder, const Dataset& dataset) {
  NPQ_ASSERT(dataset.graphs.size() == dataset.targets.size());
  Flat flat;
  for (const auto& graph : dataset.graphs) flat.add(graph);
  const auto size = [](const auto& rows) { return static_cast<std::int64_t>(rows.size()); };
  std::vector<NamedTensor> tensors = {
      {"node_begin", Dtype::I64, {size(flat.node_begin)}, bytes_of(flat.node_begin)},
      {"edge_begin", Dtype::I64, {size(flat.edge_begin)}, bytes_of(flat.edge_begin)},
      {"targets", Dtype::F64, {size(dataset.targets), kTargets}, bytes_of(dataset.targets)},
      {"mean", Dtype::F64, {1, kTargets}, std::as_bytes(std::span(dataset.mean))},
      {"deviation", Dtype::F64, {1, kTargets}, std::as_bytes(std::span(dataset.deviation))}};
  for (std::size_t part = 0; part < 3; ++part) {
    const auto& rows = dataset.split.parts[part];
    tensors.push_back({std::string(kPartNames[part]), Dtype::I64, {size(rows)}, bytes_of(rows)});
  }
  tensors.push_back({"edges", Dtype::I32, {size(flat.edges), 2}, bytes_of(flat.edges)});
  tensors.push_back({"atoms", Dtype::U8, {size(flat.atoms), kAtomFeatures}, bytes_of(flat.atoms)});
  tensors.push_back({"bonds", Dtype::U8, {size(flat.bonds), kBondFeatures}, bytes_of(flat.bonds)});
  auto metadata = dataset.about;
  metadata["format"] = kFormat;
  TensorChecksums sums(metadata);
  for (const auto& tensor : tensors)
    sums.add(tensor.name, tensor.dtype, tensor.shape, tensor.bytes);
  metadata.merge(sums.finish());
  write_safetensors(dataset_file(folder), tensors, std::move(metadata));
}

Dataset load_dataset(const std::filesystem::path& folder) {
  const auto file = SafetensorsFile::open(dataset_file(folder));
  return Reader(file).dataset();
}

Dataset read_dataset(std::span<const std::byte> bytes, const std::string& name) {
  const auto file = SafetensorsFile::from_bytes(bytes, name);
  return Reader(file).dataset();
}

std::string dataset_checksum(const std::filesystem::path& folder) {
  const auto file = SafetensorsFile::open(dataset_file(folder));
  const auto found = file.metadata().find(TensorChecksums::kData);
  return found == file.metadata().end() ? std::string() : found->second;
}

}  // namespace npq::peptides
