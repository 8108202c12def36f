#pragma once
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "npq/prove/equivariance.h"
#include "npq/prove/options.h"
#include "npq/prove/persistence.h"
#include "npq/prove/reduction.h"
#include "npq/prove/supervision.h"

// All proofs together: what was measured, and what follows from it.
namespace npq::prove {

/// The proofs asked for; the rest is empty.
struct Proofs {
  std::optional<std::vector<PersistenceRow>> persistence;
  std::optional<std::vector<EquivarianceRow>> equivariance;
  std::optional<std::vector<ReductionRow>> reduction;
  std::optional<std::vector<SupervisionRow>> supervision;

  /// Row by row; nothing if it was not asked for. The paper claims persistence and learning
  /// without hints for its queues, the reduction for NPQ_M, equivariance for all memories of the
  /// framework.
  std::optional<std::vector<Verdict>> verdicts(Desideratum desideratum) const;
  /// The conclusion of one that was asked for, in one sentence. It says so if trainings that are
  /// shorter than the default fail.
  std::string conclusion(Desideratum desideratum) const;
  /// Whether every claim held: the exit code of `npq prove`.
  bool hold() const;
};

/// One sentence: whether the claim holds, and for which memories beyond it.
std::string conclusion(Desideratum desideratum, const std::vector<Verdict>& verdicts);

/// Everything measured, under the desiderata's names.
nlohmann::json to_json(const Proofs& proofs);

}  // namespace npq::prove
