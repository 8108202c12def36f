#include "npq/train/checkpoints/shared_state.h"

#include <ATen/ops/empty.h>
#include <fmt/ranges.h>

#include <cstring>
#include <nlohmann/json.hpp>
#include <utility>

#include "npq/base/error.h"
#include "npq/base/formats/json_text.h"
#include "npq/base/formats/sha256.h"

namespace npq::train {
namespace {

/// Names, shapes and fields as JSON.
std::string head_of(const RunState& state) {
  auto tensors = nlohmann::json::array();
  for (const auto& [name, tensor] : state.tensors)
    tensors.push_back({name, static_cast<int>(tensor.scalar_type()), tensor.sizes().vec()});
  return nlohmann::json{{"tensors", tensors}, {"fields", state.fields}}.dump();
}

std::string numbers_of(const RunState& state) {
  std::string all;
  for (const auto& [name, tensor] : state.tensors) {
    const auto contiguous = tensor.contiguous();
    all.append(reinterpret_cast<const char*>(contiguous.data_ptr()), contiguous.nbytes());
  }
  return all;
}

LoadedTensors joined(const nlohmann::json& head, const std::string& numbers) {
  LoadedTensors loaded{.tensors = {}, .metadata = head.at("fields").get<Metadata>()};
  const char* from = numbers.data();
  for (const auto& [name, type, shape] :
       head.at("tensors")
           .get<std::vector<std::tuple<std::string, int, std::vector<std::int64_t>>>>()) {
    auto tensor = at::empty(shape, static_cast<at::ScalarType>(type));
    NPQ_ASSERT(from + tensor.nbytes() <= numbers.data() + numbers.size());
    std::memcpy(tensor.data_ptr(), std::exchange(from, from + tensor.nbytes()), tensor.nbytes());
    loaded.tensors[name] = tensor;
  }
  return loaded;
}

}  // namespace

RunProgress share_run_state(Learner& learner, const RunProgress& progress) {
  auto& ranks = learner.subject().ranks();
  if (ranks.count() == 1) return progress;
  if (ranks.is_first()) {
    const auto state = run_state(learner, progress);
    ranks.from_first(head_of(state));
    ranks.from_first(numbers_of(state));
    return progress;
  }
  const auto head = parse_json_object(ranks.from_first(""), "rank 0");
  return take_run_state({"the state of rank 0", joined(head, ranks.from_first(""))}, learner);
}

std::string weights_checksum(const NamedTensors& weights) {
  Sha256 sum;
  for (const auto& [name, tensor] : weights) {
    const auto numbers = tensor.contiguous();
    sum.update({static_cast<const std::byte*>(numbers.data_ptr()), numbers.nbytes()});
  }
  return sum.hex_digest();
}

void check_same_weights(const Subject& subject) {
  auto& ranks = subject.ranks();
  if (ranks.count() == 1) return;
  const auto sums = ranks.gather(weights_checksum(weights_of(subject)));
  std::vector<std::size_t> others;
  for (std::size_t rank = 1; rank < sums.size(); ++rank)
    if (sums[rank] != sums[0]) others.push_back(rank);
  if (others.empty()) return;
  throw Error(
      "the weights of rank {} are no longer those of rank 0; its machine computes differently or "
      "is "
      "faulty. The last saved state is from before; leave that machine out and resume",
      fmt::join(others, ", "));
}

}  // namespace npq::train
