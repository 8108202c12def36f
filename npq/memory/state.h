#pragma once
#include <ATen/core/Tensor.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace npq::memory {

/// Everything a memory knows at one moment, as a value: named tensors whose first axis is the
/// batch, and whole numbers that all samples share. A test, a checkpoint or a picture can hold any
/// moment of an unroll; stepping makes a new state and leaves the old one as it was.
struct MemoryState {
  std::vector<std::pair<std::string, at::Tensor>> tensors;
  std::vector<std::pair<std::string, std::int64_t>> integers;

  /// A product that the steps to come would make again: the state's "v" times a weight.
  struct Product {
    at::Tensor weight;
    std::int64_t version;  // of the weight
    at::Tensor value;
  };
  std::vector<Product> products;  // may be dropped at any time; set() and files do

  /// By name; a missing one is an Error that names what there is.
  const at::Tensor& tensor(std::string_view name) const;
  std::int64_t integer(std::string_view name) const;
  bool has(std::string_view name) const;

  /// v times the weight; where it is not at hand it is made.
  at::Tensor product(const at::Tensor& weight) const;

  /// Replaces an entry that exists; the order stays.
  void set(std::string_view name, at::Tensor tensor);
  void set(std::string_view name, std::int64_t integer);

  /// Only these samples, in this order.
  MemoryState select(const at::Tensor& samples) const;
};

/// Tensors that say which graph this is, not what was remembered: its real nodes, its schedule.
bool describes_graph(std::string_view tensor);

/// A state as a safetensors file: integers become I64 tensors without axes.
void save_state(const std::filesystem::path& path, const MemoryState& state);
MemoryState load_state(const std::filesystem::path& path);

}  // namespace npq::memory
