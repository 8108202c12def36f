#include "npq/prove/operations.h"

#include <numeric>
#include <queue>
#include <stack>
#include <utility>

namespace npq::prove {
namespace {

int below(ops::Stream& random, int count) { return static_cast<int>(random.uniform() * count); }

/// 0 .. 63 in random order (Fisher and Yates).
std::vector<int> shuffled_keys(ops::Stream& random) {
  std::vector<int> keys(kMostOperations);
  std::iota(keys.begin(), keys.end(), 0);
  for (int i = kMostOperations - 1; i > 0; --i) std::swap(keys[i], keys[below(random, i + 1)]);
  return keys;
}

/// The key that makes a priority queue this structure: anything, the time, or the time backwards.
int key_of(Structure structure, int drawn, int time) {
  switch (structure) {
    case Structure::PriorityQueue:
      return drawn;
    case Structure::Stack:
      return time;
    case Structure::Queue:
      break;
  }
  return kMostOperations - 1 - time;
}

/// What the standard container says, operation by operation; `push` and `top` bridge their names.
template <class Container, class Push, class Top>
void answer(Played& played, Container container, Push push, Top top) {
  std::vector<bool> contained(kMostOperations + 1);
  int pushed = 0;
  for (const auto& operation : played.operations) {
    int received = 0;
    if (operation.kind == Operation::Kind::Push) {
      push(container, operation.key, ++pushed);
      contained[pushed] = true;
    } else if (operation.kind == Operation::Kind::Pop && !container.empty()) {
      received = top(container);
      container.pop();
      contained[received] = false;
    }
    played.received.push_back(received);
    played.contained.push_back(contained);
  }
}

}  // namespace

Played play(Structure structure, ops::Stream& random) {
  Played played;
  const int length = 1 + below(random, kMostOperations);
  const auto keys = shuffled_keys(random);
  for (int t = 0; t < length; ++t) {
    const double draw = random.uniform();
    const auto kind = draw < 0.5    ? Operation::Kind::Push
                      : draw < 0.85 ? Operation::Kind::Pop
                                    : Operation::Kind::Nothing;
    played.operations.push_back(
        {kind, below(random, kOperationNodes), key_of(structure, keys[t], t)});
  }
  const auto push_identity = [](auto& c, int, int identity) { c.push(identity); };
  switch (structure) {
    case Structure::PriorityQueue:
      answer(
          played, std::priority_queue<std::pair<int, int>>(),
          [](auto& c, int key, int identity) { c.emplace(key, identity); },
          [](auto& c) { return c.top().second; });
      break;
    case Structure::Stack:
      answer(played, std::stack<int>(), push_identity, [](auto& c) { return c.top(); });
      break;
    case Structure::Queue:
      answer(played, std::queue<int>(), push_identity, [](auto& c) { return c.front(); });
      break;
  }
  return played;
}

}  // namespace npq::prove
