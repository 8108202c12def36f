#include <algorithm>
#include <unordered_map>

#include "npq/base/pickle/pickle_machine.h"

namespace npq {

void check_pickle_tree(const PickleValue& root, const PickleOptions& options,
                       const std::string& file) {
  struct Visit {
    const PickleValue* value;
    std::size_t next = 0;   // which child comes next
    std::size_t total = 1;  // this value and the children seen so far
    std::size_t depth = 1;
  };
  struct Known {
    std::size_t total;
    std::size_t depth;
  };
  const auto child = [](const PickleValue& value, std::size_t i) {
    if (i == 0) return value.args;
    if (i == 1) return value.state;
    return value.items[i - 2];
  };
  std::unordered_map<const PickleValue*, Known> known;  // depth 0 while a value is being visited
  std::vector<Visit> path{{&root}};  // a stack of our own: the nesting comes from the file
  known[&root] = {};
  while (!path.empty()) {
    Visit& visit = path.back();
    if (visit.total > options.most_values) {
      throw Error("pickle '{}' holds more than {} values, shared ones counted each time", file,
                  options.most_values);
    }
    if (path.size() > options.deepest || visit.depth > options.deepest) {
      throw Error("pickle '{}' nests more than {} levels deep", file, options.deepest);
    }
    if (visit.next < visit.value->items.size() + 2) {
      const PickleValue* const next = child(*visit.value, visit.next++);
      if (next == nullptr) continue;
      const auto [entry, fresh] = known.try_emplace(next);
      if (fresh) {
        path.push_back({next});
      } else if (entry->second.depth == 0) {
        throw Error("pickle '{}' holds {} that contains itself", file,
                    pickle_kind_name(next->kind));
      } else {
        visit.total += entry->second.total;
        visit.depth = std::max(visit.depth, entry->second.depth + 1);
      }
      continue;
    }
    const Known done{visit.total, visit.depth};
    known[visit.value] = done;
    path.pop_back();
    if (!path.empty()) {
      path.back().total += done.total;
      path.back().depth = std::max(path.back().depth, done.depth + 1);
    }
  }
}

}  // namespace npq
