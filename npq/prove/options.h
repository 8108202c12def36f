#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// What to prove, of which memories. Free of torch: the command line reads and checks these at once.
namespace npq::prove {

/// What the paper demands of a memory for graph networks [NPQ, section "Desiderata"], in its order.
enum class Desideratum { Persistence, Equivariance, Reduction, Supervision };

struct DesideratumName {
  Desideratum desideratum;
  std::string_view name;   // on the command line and in JSON
  std::string_view title;  // as a sentence begins
};
std::span<const DesideratumName> desiderata();
/// By name; an unknown one is a UsageError that lists the known ones.
Desideratum find_desideratum(std::string_view name);

struct ProveOptions {
  std::vector<Desideratum> only;                 // empty: all four
  std::vector<std::string> memories;             // catalog names; empty: every row
  std::int64_t sequences = 10000;                // reduction: random sequences per structure
  std::vector<std::uint64_t> seeds = {1, 2, 3};  // no intermediate supervision: one training each
  std::int64_t steps = 200, hidden = 32, batch = 8;  // of those trainings

  /// Throws a UsageError that names the flag, what it holds and what it may hold.
  void validate() const;

  bool asks_for(Desideratum desideratum) const;
  /// The rows meant, in the catalog's order.
  std::vector<std::string> rows() const;
};

/// Whether the paper claims its desiderata for this memory: the priority queues.
bool is_queue(std::string_view memory);

}  // namespace npq::prove
