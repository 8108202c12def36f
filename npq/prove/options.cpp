#include "npq/prove/options.h"

#include <algorithm>

#include "npq/base/error.h"
#include "npq/base/names.h"
#include "npq/memory/catalog.h"

namespace npq::prove {
namespace {

constexpr DesideratumName kDesiderata[] = {
    {Desideratum::Persistence, "persistence", "memory-persistence"},
    {Desideratum::Equivariance, "equivariance", "permutation-equivariance"},
    {Desideratum::Reduction, "reduction", "reducibility to priority queues"},
    {Desideratum::Supervision, "supervision", "no intermediate supervision"},
};

void at_least(std::string_view flag, std::int64_t value, std::int64_t least) {
  if (value < least) throw UsageError("--{} is {}; expected at least {}", flag, value, least);
}

}  // namespace

std::span<const DesideratumName> desiderata() { return kDesiderata; }

Desideratum find_desideratum(std::string_view name) {
  std::vector<std::string_view> known;
  for (const auto& row : kDesiderata) {
    if (row.name == name) return row.desideratum;
    known.push_back(row.name);
  }
  throw unknown_name("desideratum", name, known);
}

void ProveOptions::validate() const {
  for (const auto& name : memories) {
    if (memory::find_row(name).kind == memory::Kind::None)
      throw UsageError("memory 'none' remembers nothing, so there is nothing to prove of it");
  }
  at_least("sequences", sequences, 1);
  at_least("steps", steps, 20);  // the first ten are compared with the last ten
  at_least("hidden", hidden, 1);
  at_least("batch", batch, 1);
  if (seeds.empty()) throw UsageError("--seeds is empty; expected numbers such as 1,2,3");
}

bool ProveOptions::asks_for(Desideratum desideratum) const {
  return only.empty() || std::find(only.begin(), only.end(), desideratum) != only.end();
}

std::vector<std::string> ProveOptions::rows() const {
  std::vector<std::string> names;
  for (const auto& row : memory::catalog()) {
    const auto is_this = [&](const auto& name) { return memory::find_row(name).name == row.name; };
    if (row.kind == memory::Kind::None) continue;
    if (memories.empty() || std::any_of(memories.begin(), memories.end(), is_this))
      names.emplace_back(row.name);
  }
  return names;
}

bool is_queue(std::string_view memory) {
  return memory::find_row(memory).kind == memory::Kind::PriorityQueue;
}

}  // namespace npq::prove
