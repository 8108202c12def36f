#include "npq/train/ranks/alike.h"

#include <nlohmann/json.hpp>

#include "npq/base/error.h"
#include "npq/base/formats/json_text.h"

namespace npq::train {
namespace {

std::string words_of(const nlohmann::json& object, const std::string& key) {
  const auto found = object.find(key);
  if (found == object.end()) return "nothing";
  return found->is_string() ? "'" + found->get<std::string>() + "'" : found->dump();
}

}  // namespace

void check_alike(Ranks& ranks, const nlohmann::json& own) {
  const auto all = ranks.gather(own.dump());
  const auto first = parse_json_object(all.front(), "rank 0");
  for (std::size_t rank = 1; rank < all.size(); ++rank) {
    const auto other = parse_json_object(all[rank], fmt::format("rank {}", rank));
    if (other == first) continue;
    auto both = other;
    both.update(first);
    for (const auto& [key, unused] : both.items())
      if (const auto here = words_of(first, key), there = words_of(other, key); here != there)
        throw UsageError(
            "rank {} has {} {} where rank 0 has {}; all ranks need the same program and options",
            rank, key, there, here);
  }
}

}  // namespace npq::train
