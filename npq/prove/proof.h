#pragma once
#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

// What all proofs share: parallel jobs, and verdicts.
namespace npq::prove {

/// Called after each finished job, never by two threads at once.
using ProofProgress =
    std::function<void(std::int64_t done, std::int64_t total, std::string_view note)>;

/// One row of a proof: a memory, whether the paper claims the desideratum for it, and whether it
/// holds here.
struct Verdict {
  std::string memory;
  bool claimed = false;
  bool holds = false;
};

/// Whether every claim held.
inline bool claims_hold(const std::vector<Verdict>& verdicts) {
  return std::all_of(verdicts.begin(), verdicts.end(),
                     [](const Verdict& v) { return v.holds || !v.claimed; });
}

/// body(0) .. body(count - 1) on `threads` threads, each of which computes alone: many small jobs
/// gain nothing from threads inside. Results do not depend on the number of threads.
void side_by_side(int threads, std::size_t count, const std::function<void(std::size_t)>& body,
                  const std::function<std::string(std::size_t)>& note,
                  const ProofProgress& progress);

}  // namespace npq::prove
