#pragma once
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "npq/base/error.h"
#include "npq/train/ranks/membership.h"

// Several processes, perhaps on several machines, that train one run: its ranks. All make the same
// calls in the same order.
namespace npq::train {

/// Another rank has ended, hangs or cannot be reached; the text names it.
class RankLost : public Error {
 public:
  using Error::Error;
};

/// What rank 0 throws, too: all are at the same place with the same numbers, and it has more to say.
class SaidByFirst : public Error {
 public:
  using Error::Error;
};

class Group;  // group.h: how they talk to each other

class Ranks {
 public:
  /// Things first to last - 1 of many in a row.
  struct Share {
    std::size_t first, last;
    std::size_t size() const { return last - first; }
    bool holds(std::size_t begin, std::size_t end) const { return first <= begin && end <= last; }
  };

  /// Alone.
  Ranks();
  /// Returns when all are there; a rank that does not come in time is an Error that names it.
  explicit Ranks(const Membership& membership);
  ~Ranks();
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;

  int rank() const { return rank_; }
  int count() const { return count_; }
  /// Of the ranks only one writes files and prints.
  bool is_first() const { return rank_ == 0; }

  /// Neighbours, as evenly as it goes.
  Share share(std::size_t things, int rank) const;
  Share share(std::size_t things) const { return share(things, rank_); }

  /// Every rank gives its bytes and gets those of all, in the order of ranks. `sizes` are how many
  /// each gives.
  std::vector<std::string> gather(std::string mine, std::vector<std::size_t> sizes);
  /// The same where nobody knows how many the others give.
  std::vector<std::string> gather(std::string mine);
  /// The text of rank 0; the others give none.
  std::string from_first(std::string text);

  /// The work is to end. It does so for all ranks at the same place: where all have heard of it
  /// through the same gather.
  void ask_to_stop() { asked_ = true; }
  bool stops() const { return count_ > 1 ? agreed_ : asked_; }

  /// To be called by a rank that ends with an Error, before it does: the others will hear the
  /// sentence. Whether it is to be printed here; false where another rank was first.
  bool ends_with(const std::string& sentence);

 private:
  int rank_ = 0, count_ = 1;
  bool asked_ = false, agreed_ = false;
  std::unique_ptr<Group> group_;
};

}  // namespace npq::train
