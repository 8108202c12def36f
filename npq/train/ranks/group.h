#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "npq/base/helper.h"
#include "npq/train/ranks/address.h"
#include "npq/train/ranks/ranks.h"

namespace npq::train {

/// The connections of a rank to all others: Gloo's, which find each other through a store of names
/// at rank 0, both from libtorch's c10d.
///
/// Every rank talks to every other directly, so whoever waits in vain knows for whom. The first who
/// does leaves its sentence in the store: a rank that ends because another did must not be taken for
/// the one that failed.
class Group {
 public:
  explicit Group(const Membership& membership);
  ~Group();

  /// `sizes` are the bytes of each rank, at least 1.
  std::vector<std::string> gather(std::string mine, const std::vector<std::size_t>& sizes);

  /// Whether no other rank has left a sentence before.
  bool claim(const std::string& sentence);

 private:
  struct Connections;
  struct Exchange;

  void open_store();
  void check_in(const Way& way);
  void connect();
  std::string name_of(int rank) const;
  [[noreturn]] void lose(int rank, const std::string& what);
  void hear();  // of the end, of which rank 0 may have something to say
  void wait_for_others_to_hear();

  Membership own_;
  std::vector<std::string> names_;  // of the ranks: "node7, process 4711"
  std::string way_in_;              // an address of rank 0 that other machines reach
  std::shared_ptr<Connections> connections_;
  std::unique_ptr<Helper> helper_;  // waits for the others, so that this thread need not
  std::uint32_t exchanges_ = 0;
  std::optional<int> lost_;
  bool hangs_ = false, failed_ = false;
};

}  // namespace npq::train
