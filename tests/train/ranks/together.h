#pragma once
#include <exception>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "npq/train/ranks/address.h"
#include "npq/train/ranks/ranks.h"

// Ranks as threads of one process: to each other they are strangers all the same.
namespace npq::test {

using npq::train::Membership;
using npq::train::Ranks;

inline Membership member(int rank, int count, int port) {
  return {.rank = rank, .count = count, .port = port, .timeout = std::chrono::seconds(20)};
}

/// What each of the ranks said when it ended: nothing, or the text of its Error.
inline std::vector<std::string> endings(int count, const std::function<void(int)>& work) {
  std::vector<std::string> words(static_cast<std::size_t>(count));
  std::vector<std::thread> threads;
  for (int rank = 0; rank < count; ++rank)
    threads.emplace_back([&, rank] {
      try {
        work(rank);
      } catch (const std::exception& error) {
        words[static_cast<std::size_t>(rank)] = error.what();
      }
    });
  for (auto& thread : threads) thread.join();
  return words;
}

/// The same for ranks that found each other.
inline std::vector<std::string> together(
    int count, const std::function<void(const std::shared_ptr<Ranks>&)>& work,
    int port = npq::train::free_port()) {
  return endings(count, [&](int rank) {
    const auto ranks = std::make_shared<Ranks>(member(rank, count, port));
    try {
      work(ranks);
    } catch (const std::exception& error) {
      ranks->ends_with(error.what());
      throw;
    }
  });
}

}  // namespace npq::test
