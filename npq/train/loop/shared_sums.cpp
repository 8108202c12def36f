#include "npq/train/loop/shared_sums.h"

#include <ATen/ops/empty_like.h>

#include <algorithm>
#include <cstring>
#include <span>
#include <utility>

#include "npq/base/error.h"

namespace npq::train {
namespace {

/// How one term lies in a message: the losses, then the gradients, each behind a byte that says
/// whether the term has it. Names and shapes are those of `like`, an own term.
class Layout {
 public:
  Layout(const PartSums& like, std::span<const at::Tensor> parameters)
      : like_(like), parameters_(parameters) {
    bytes_ = like.losses.size() * sizeof(double) + parameters.size();
    for (const auto& parameter : parameters) bytes_ += parameter.nbytes();
  }
  std::size_t bytes() const { return bytes_; }

  void write(const PartSums& term, char* to) const {
    const auto put = [&](const void* from, std::size_t bytes) {
      std::memcpy(std::exchange(to, to + bytes), from, bytes);
    };
    for (const auto& [name, loss] : term.losses) put(&loss, sizeof loss);
    for (std::size_t k = 0; k < parameters_.size(); ++k) {
      const auto& gradient = term.gradients[k];
      const char there = gradient.defined();
      put(&there, 1);
      if (there)
        put(gradient.contiguous().data_ptr(), gradient.nbytes());
      else
        to += parameters_[k].nbytes();
    }
  }

  PartSums read(const char* from) const {
    const auto take = [&](void* to, std::size_t bytes) {
      std::memcpy(to, std::exchange(from, from + bytes), bytes);
    };
    PartSums term = {.losses = like_.losses, .gradients = {}};
    for (auto& [name, loss] : term.losses) take(&loss, sizeof loss);
    for (const auto& parameter : parameters_) {
      char there = 0;
      take(&there, 1);
      auto& gradient = term.gradients.emplace_back();
      if (there) {
        gradient = at::empty_like(parameter, at::MemoryFormat::Contiguous);
        take(gradient.data_ptr(), gradient.nbytes());
      } else {
        from += parameter.nbytes();
      }
    }
    return term;
  }

 private:
  const PartSums& like_;
  std::span<const at::Tensor> parameters_;
  std::size_t bytes_ = 0;
};

}  // namespace

void check_shareable(const Ranks& ranks, std::int64_t samples) {
  const auto parts = static_cast<std::int64_t>(parts_of(samples).size());
  if (ranks.count() <= parts) return;
  throw UsageError(
      "{} ranks are too many for --batch {}, which is computed in {} part{}; {}", ranks.count(),
      samples, parts, parts == 1 ? "" : "s",
      ranks.count() <= kMostParts
          ? fmt::format("take --batch {} or more, or fewer ranks", samples_for(ranks.count()))
          : fmt::format("no batch has more than {} parts", kMostParts));
}

PartSums sum_over_ranks(std::vector<PartSums> parts, std::span<const at::Tensor> parameters,
                        Ranks& ranks) {
  if (ranks.count() == 1) return sum_of_parts(std::move(parts));
  const auto count = parts.size();
  const auto held_by = [&](int rank) -> Wanted {
    return [share = ranks.share(count, rank)](std::size_t first, std::size_t end) {
      return share.holds(first, end);
    };
  };
  /// The places of a rank whose sums the others need.
  const auto places_of = [&](int rank) {
    auto places = places_left(count, held_by(rank));
    std::erase_if(places, [share = ranks.share(count, rank)](std::size_t place) {
      return !share.holds(place, place + 1);
    });
    return places;
  };

  add_parts(parts, held_by(ranks.rank()));
  const Layout layout(parts[ranks.share(count).first], parameters);
  std::vector<std::size_t> sizes;
  for (int rank = 0; rank < ranks.count(); ++rank)
    sizes.push_back(places_of(rank).size() * layout.bytes());
  std::string mine(sizes[static_cast<std::size_t>(ranks.rank())], '\0');
  auto* to = mine.data();
  for (const auto place : places_of(ranks.rank()))
    layout.write(parts[place], std::exchange(to, to + layout.bytes()));

  const auto all = ranks.gather(std::move(mine), sizes);
  for (int rank = 0; rank < ranks.count(); ++rank) {
    const auto* from = all[static_cast<std::size_t>(rank)].data();
    for (const auto place : places_of(rank))
      if (rank != ranks.rank())
        parts[place] = layout.read(std::exchange(from, from + layout.bytes()));
  }
  return sum_of_parts(std::move(parts), [&](std::size_t first, std::size_t end) {
    for (int rank = 0; rank < ranks.count(); ++rank)
      if (held_by(rank)(first, end)) return false;
    return true;
  });
}

}  // namespace npq::train
