#include "npq/memory/state.h"

#include <ATen/ops/empty.h>
#include <fmt/ranges.h>

#include <cstring>

#include "npq/base/error.h"
#include "npq/base/formats/safetensors_writer.h"

namespace npq::memory {
namespace {

template <class Entries>
auto find(Entries& entries, std::string_view name) {
  auto entry = entries.begin();
  while (entry != entries.end() && entry->first != name) ++entry;
  return entry;
}

[[noreturn]] void fail_missing(const MemoryState& state, std::string_view name) {
  std::vector<std::string> known;
  for (const auto& [key, value] : state.tensors) known.push_back(key);
  for (const auto& [key, value] : state.integers) known.push_back(key);
  throw Error("this memory's state has no '{}'; it has: {}", name, fmt::join(known, ", "));
}

std::pair<Dtype, at::ScalarType> constexpr kTypes[] = {{Dtype::F32, at::kFloat},
                                                       {Dtype::F64, at::kDouble},
                                                       {Dtype::I64, at::kLong},
                                                       {Dtype::Bool, at::kBool}};

Dtype file_type(const std::string& name, at::ScalarType type) {
  for (const auto& [stored, held] : kTypes)
    if (held == type) return stored;
  throw Error("state entry '{}' has the number type {}, which cannot be saved", name,
              c10::toString(type));
}

at::ScalarType torch_type(const SafetensorsFile& file, const TensorInfo& info) {
  for (const auto& [stored, held] : kTypes)
    if (stored == info.dtype) return held;
  throw Error("'{}' is not a memory state: entry '{}' has the number type {}", file.name(),
              info.name, dtype_name(info.dtype));
}

constexpr std::string_view kIntegerPrefix = "integer/";

}  // namespace

const at::Tensor& MemoryState::tensor(std::string_view name) const {
  const auto found = find(tensors, name);
  if (found == tensors.end()) fail_missing(*this, name);
  return found->second;
}

std::int64_t MemoryState::integer(std::string_view name) const {
  const auto found = find(integers, name);
  if (found == integers.end()) fail_missing(*this, name);
  return found->second;
}

bool MemoryState::has(std::string_view name) const {
  return find(tensors, name) != tensors.end() || find(integers, name) != integers.end();
}

void MemoryState::set(std::string_view name, at::Tensor tensor) {
  const auto found = find(tensors, name);
  if (found == tensors.end()) fail_missing(*this, name);
  found->second = std::move(tensor);
  products.clear();
}

void MemoryState::set(std::string_view name, std::int64_t integer) {
  const auto found = find(integers, name);
  if (found == integers.end()) fail_missing(*this, name);
  found->second = integer;
}

at::Tensor MemoryState::product(const at::Tensor& weight) const {
  for (const auto& made : products)
    if (made.weight.is_same(weight) && made.version == weight._version()) return made.value;
  return tensor("v").matmul(weight);
}

MemoryState MemoryState::select(const at::Tensor& samples) const {
  auto chosen = *this;
  for (auto& [name, tensor] : chosen.tensors) tensor = tensor.index_select(0, samples);
  for (auto& product : chosen.products) product.value = product.value.index_select(0, samples);
  return chosen;
}

bool describes_graph(std::string_view tensor) {
  return tensor == "nodes" || tensor == "order" || tensor == "children";
}

void save_state(const std::filesystem::path& path, const MemoryState& state) {
  std::vector<at::Tensor> kept;  // contiguous copies must live until the file is written
  std::vector<NamedTensor> arrays;
  for (const auto& [name, tensor] : state.tensors) {
    kept.push_back(tensor.detach().contiguous());
    arrays.push_back(
        {name,
         file_type(name, tensor.scalar_type()),
         tensor.sizes().vec(),
         {static_cast<const std::byte*>(kept.back().data_ptr()), kept.back().nbytes()}});
  }
  for (const auto& [name, integer] : state.integers)
    arrays.push_back({std::string(kIntegerPrefix) + name,
                      Dtype::I64,
                      {},
                      std::as_bytes(std::span(&integer, 1))});
  write_safetensors(path, arrays);
}

MemoryState load_state(const std::filesystem::path& path) {
  const auto file = SafetensorsFile::open(path);
  MemoryState state;
  for (const auto& info : file.tensors()) {
    if (info.name.starts_with(kIntegerPrefix)) {
      const auto values = file.values<std::int64_t>(info.name);
      if (values.size() != 1)
        throw Error("'{}' is not a memory state: '{}' holds {} numbers, expected 1", file.name(),
                    info.name, values.size());
      state.integers.emplace_back(info.name.substr(kIntegerPrefix.size()), values[0]);
      continue;
    }
    auto tensor = at::empty(info.shape, torch_type(file, info));
    const auto bytes = file.bytes(info.name);
    if (!bytes.empty()) std::memcpy(tensor.data_ptr(), bytes.data(), bytes.size());
    state.tensors.emplace_back(info.name, std::move(tensor));
  }
  return state;
}

}  // namespace npq::memory
