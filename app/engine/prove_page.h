#pragma once
#include <string>
#include <vector>

#include "npq/prove/proofs.h"
#include "npq/report/charts/chart.h"
#include "npq/report/tables/tables.h"

namespace npq::app {

/// One desideratum for readers.
struct ProofSection {
  std::string title, how;  // how it was measured, in a sentence or two
  std::string conclusion;
  bool holds = false;
  report::Table table;
  std::vector<report::Chart> charts;
};
std::vector<ProofSection> proof_sections(const prove::Proofs& proofs);

/// All of them as one self-contained HTML page.
std::string proof_page(const prove::Proofs& proofs, const std::string& command_line);

}  // namespace npq::app
