// Built where RDKit is not installed.
#include "npq/base/error.h"
#include "npq/peptides/chemistry.h"

namespace npq::peptides {

std::string chemistry_version() { return ""; }

void require_chemistry() {
  throw Error(
      "this program was built without RDKit, which reads molecules; install it (on Debian: apt-get "
      "install librdkit-dev libboost-dev) and build again");
}

Graph graph_of_smiles(std::string_view) {
  require_chemistry();
  return {};
}

Chain chain_of_sequence(const std::string&) {
  require_chemistry();
  return {};
}

AtomWeights weights_of_smiles(std::string_view) {
  require_chemistry();
  return {};
}

}  // namespace npq::peptides
