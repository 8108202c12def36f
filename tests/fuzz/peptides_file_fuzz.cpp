// Any bytes are either a sound data set of peptides, or one npq::Error. A checksum stops most
// damage at the door, so the same bytes also go inside: as the tensors of a file whose checksums
// fit.
#include <algorithm>
#include <nlohmann/json.hpp>
#include <tuple>

#include "npq/base/error.h"
#include "npq/base/formats/tensor_checksums.h"
#include "npq/peptides/dataset.h"

namespace {

using npq::Dtype;
using npq::peptides::Dataset;

void check(const Dataset& dataset) {
  NPQ_ASSERT(dataset.graphs.size() == dataset.targets.size());
  for (const auto& graph : dataset.graphs) NPQ_ASSERT(npq::peptides::problem_of(graph).empty());
  for (const auto& part : dataset.split.parts)
    for (const auto row : part)
      NPQ_ASSERT(row >= 0 && row < static_cast<std::int64_t>(dataset.graphs.size()));
}

void try_reading(std::span<const std::byte> bytes) {
  try {
    check(npq::peptides::read_dataset(bytes, "fuzz"));
  } catch (const npq::Error&) {
  }
}

/// The first bytes say how many molecules, atoms and edges there are; the rest fills the tensors.
std::string sealed(std::span<const std::byte> bytes) {
  const auto take = [&](std::size_t wanted) {
    std::vector<std::byte> piece(wanted);
    const auto count = std::min(wanted, bytes.size());
    std::copy_n(bytes.begin(), count, piece.begin());
    bytes = bytes.subspan(count);
    return piece;
  };
  const auto sizes = take(6);
  const auto size = [&](int k) { return std::to_integer<std::int64_t>(sizes[k]) % 5; };
  const std::int64_t graphs = size(0), atoms = size(1), edges = size(2);
  const std::vector<std::tuple<std::string, Dtype, std::vector<std::int64_t>>> shapes = {
      {"node_begin", Dtype::I64, {graphs + 1}}, {"edge_begin", Dtype::I64, {graphs + 1}},
      {"targets", Dtype::F64, {graphs, 11}},    {"mean", Dtype::F64, {1, 11}},
      {"deviation", Dtype::F64, {1, 11}},       {"train", Dtype::I64, {size(3)}},
      {"val", Dtype::I64, {size(4)}},           {"test", Dtype::I64, {size(5)}},
      {"edges", Dtype::I32, {edges, 2}},        {"atoms", Dtype::U8, {atoms, 9}},
      {"bonds", Dtype::U8, {edges, 3}}};
  std::map<std::string, std::string> metadata{{"format", "npq-peptides-1"}};
  npq::TensorChecksums sums(metadata);
  nlohmann::ordered_json header;
  std::string numbers;
  for (const auto& [name, dtype, shape] : shapes) {
    std::size_t count = npq::dtype_size(dtype);
    for (const auto axis : shape) count *= static_cast<std::size_t>(axis);
    const auto piece = take(count);
    sums.add(name, dtype, shape, piece);
    const auto begin = numbers.size();
    numbers.append(reinterpret_cast<const char*>(piece.data()), count);
    header[name] = {{"dtype", npq::dtype_name(dtype)},
                    {"shape", shape},
                    {"data_offsets", {begin, numbers.size()}}};
  }
  metadata.merge(sums.finish());
  header["__metadata__"] = metadata;
  const auto words = header.dump();
  const std::uint64_t length = words.size();
  return std::string(reinterpret_cast<const char*>(&length), sizeof length) + words + numbers;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto bytes = std::as_bytes(std::span(data, size));
  try_reading(bytes);
  const auto file = sealed(bytes);
  try_reading(std::as_bytes(std::span(file)));
  return 0;
}
