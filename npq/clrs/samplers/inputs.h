#pragma once
#include <cstdint>
#include <variant>
#include <vector>

#include "npq/clrs/trace/arrays.h"

// What the algorithms take. Each sampler draws one of these; a user's own input becomes one of them
// too.
namespace npq::clrs {

struct Keys {
  Scalars key;
};
struct SortedKeysAndTarget {
  Scalars key;
  double target;
};
struct Strings {  // lcs_length: x and y; string matching: the haystack and the needle
  std::vector<std::uint8_t> first, second;
};
struct SearchTree {  // probabilities of the keys and of the gaps between them
  Scalars p, q;
};
struct Activities {  // start and finish
  Scalars s, f;
};
struct Tasks {  // deadline and weight
  std::vector<int> d;
  Scalars w;
};
struct Graph {  // 0 = no edge
  EdgeScalars A;
};
struct GraphWithSource {
  EdgeScalars A;
  int s;
};
struct Points {
  Scalars x, y;
};

struct Operations {  // push node i, then pop if pop_after[i]
  Scalars key;
  Mask pop_after;
};

using Inputs = std::variant<Keys, SortedKeysAndTarget, Strings, SearchTree, Activities, Tasks,
                            Graph, GraphWithSource, Points, Operations>;

}  // namespace npq::clrs
