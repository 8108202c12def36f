#include "npq/train/ranks/ranks.h"

#include <cstring>
#include <numeric>
#include <utility>

#include "npq/train/ranks/group.h"

namespace npq::train {
namespace {

std::string bytes_of(std::uint64_t number) {
  return {reinterpret_cast<const char*>(&number), sizeof number};
}

std::uint64_t number_in(const std::string& bytes) {
  std::uint64_t number = 0;
  std::memcpy(&number, bytes.data(), sizeof number);
  return number;
}

}  // namespace

Ranks::Ranks() = default;
Ranks::~Ranks() = default;

Ranks::Ranks(const Membership& membership) : rank_(membership.rank), count_(membership.count) {
  if (count_ > 1) group_ = std::make_unique<Group>(membership);
}

Ranks::Share Ranks::share(std::size_t things, int rank) const {
  const auto r = static_cast<std::size_t>(rank), all = static_cast<std::size_t>(count_);
  return {things * r / all, things * (r + 1) / all};
}

std::vector<std::string> Ranks::gather(std::string mine, std::vector<std::size_t> sizes) {
  NPQ_ASSERT(sizes.size() == static_cast<std::size_t>(count_) && mine.size() == sizes[rank_]);
  if (!group_) return {std::move(mine)};
  // The last byte is whether a rank asks to stop: whoever gathers learns it, all from the same
  // bytes.
  mine.push_back(asked_ ? 1 : 0);
  for (auto& size : sizes) ++size;
  auto all = group_->gather(std::move(mine), sizes);
  for (auto& one : all) {
    agreed_ = agreed_ || one.back() != 0;
    one.pop_back();
  }
  return all;
}

std::vector<std::string> Ranks::gather(std::string mine) {
  if (!group_) return {std::move(mine)};
  std::vector<std::size_t> sizes(static_cast<std::size_t>(count_), sizeof(std::uint64_t));
  const auto all = gather(bytes_of(mine.size()), sizes);
  for (std::size_t r = 0; r < sizes.size(); ++r) sizes[r] = number_in(all[r]);
  return gather(std::move(mine), std::move(sizes));
}

std::string Ranks::from_first(std::string text) {
  return std::move(gather(is_first() ? std::move(text) : std::string()).front());
}

bool Ranks::ends_with(const std::string& sentence) { return !group_ || group_->claim(sentence); }

}  // namespace npq::train
