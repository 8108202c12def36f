#pragma once
#include <span>
#include <string_view>
#include <vector>

#include "npq/base/names.h"

// Every processor is a combination of named choices; this table gives the combinations the names of
// the benchmark. Free of torch, so that the command line can list and check names at once.
namespace npq::nn {

/// How a node hears its neighbours: the maximum of learned messages, or attention of either kind.
enum class ProcessorFamily { Pgn, Gat, Gatv2 };

/// Which pairs of nodes exchange messages: all of them, each node only with itself, or those that
/// the encoded inputs and hints connect.
enum class AdjacencyUse { Full, Identity, Given };

struct ProcessorKind {
  std::string_view name;
  ProcessorFamily family;
  AdjacencyUse adjacency;
  bool triplets = false;  // edge decoders also see messages over triples of nodes
  bool gated = false;     // a learned gate keeps part of the old hidden state
  bool masked_decoders =
      false;  // pointers and edge masks cannot choose pairs that are not adjacent
};

inline constexpr ProcessorKind kProcessors[] = {
    {"deepsets", ProcessorFamily::Pgn, AdjacencyUse::Identity},
    {"mpnn", ProcessorFamily::Pgn, AdjacencyUse::Full},
    {"pgn", ProcessorFamily::Pgn, AdjacencyUse::Given},
    {"pgn_mask", ProcessorFamily::Pgn, AdjacencyUse::Given, false, false, true},
    {"triplet_mpnn", ProcessorFamily::Pgn, AdjacencyUse::Full, true},
    {"triplet_pgn", ProcessorFamily::Pgn, AdjacencyUse::Given, true},
    {"triplet_pgn_mask", ProcessorFamily::Pgn, AdjacencyUse::Given, true, false, true},
    {"gmpnn", ProcessorFamily::Pgn, AdjacencyUse::Full, false, true},
    {"gpgn", ProcessorFamily::Pgn, AdjacencyUse::Given, false, true},
    {"gpgn_mask", ProcessorFamily::Pgn, AdjacencyUse::Given, false, true, true},
    {"triplet_gmpnn", ProcessorFamily::Pgn, AdjacencyUse::Full, true, true},
    {"triplet_gpgn", ProcessorFamily::Pgn, AdjacencyUse::Given, true, true},
    {"triplet_gpgn_mask", ProcessorFamily::Pgn, AdjacencyUse::Given, true, true, true},
    {"gat", ProcessorFamily::Gat, AdjacencyUse::Given},
    {"gat_full", ProcessorFamily::Gat, AdjacencyUse::Full},
    {"gatv2", ProcessorFamily::Gatv2, AdjacencyUse::Given},
    {"gatv2_full", ProcessorFamily::Gatv2, AdjacencyUse::Full},
};

inline std::vector<std::string_view> processor_names() {
  std::vector<std::string_view> names;
  for (const auto& kind : kProcessors) names.push_back(kind.name);
  return names;
}

/// By name; an unknown one is a UsageError with the nearest known name.
inline const ProcessorKind& find_processor(std::string_view name) {
  for (const auto& kind : kProcessors) {
    if (kind.name == name) return kind;
  }
  throw unknown_name("processor", name, processor_names());
}

}  // namespace npq::nn
