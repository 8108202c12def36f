#include "npq/clrs/trace/true_queue.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "npq/base/error.h"

namespace npq::clrs {
namespace {

/// Where the key of each node is written, and which one leaves first.
struct Rule {
  std::string_view algorithm;
  std::string_view key;  // hint or input; empty: the order of coming in
  bool largest_first;
};
constexpr Rule kRules[] = {{"dijkstra", "d", false},
                           {"mst_prim", "key", false},
                           {"priority_queue", "key", true},
                           {"stack", "", true},
                           {"queue", "", false}};

const Rule* find_rule(std::string_view algorithm) {
  for (const auto& rule : kRules)
    if (rule.algorithm == algorithm) return &rule;
  return nullptr;
}

std::vector<double> keys_at(const Rule& rule, const Sample& sample, int record) {
  std::vector<double> keys(sample.nodes());
  if (rule.key.empty()) {
    for (int i = 0; i < sample.nodes(); ++i) keys[i] = i;  // node i comes in at step i
  } else {
    const auto series = sample.series(std::string(rule.key));
    series.expand(series.probe().stage == Stage::Hint ? record : 0, keys.data());
  }
  return keys;
}

std::vector<double> ranks(const std::vector<double>& values) {
  std::vector<double> result(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    double below = 0, same = 0;
    for (const double other : values) {
      below += other < values[i];
      same += other == values[i];
    }
    result[i] = below + (same - 1) / 2;
  }
  return result;
}

/// Pearson's correlation of ranks; nothing if one side is constant.
bool rank_correlation(const std::vector<double>& a, const std::vector<double>& b, double& result) {
  const auto x = ranks(a), y = ranks(b);
  const double mean = (static_cast<double>(x.size()) - 1) / 2;
  double xy = 0, xx = 0, yy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    xy += (x[i] - mean) * (y[i] - mean);
    xx += (x[i] - mean) * (x[i] - mean);
    yy += (y[i] - mean) * (y[i] - mean);
  }
  if (xx == 0 || yy == 0) return false;
  result = xy / std::sqrt(xx * yy);
  return true;
}

}  // namespace

bool has_true_queue(std::string_view algorithm) { return find_rule(algorithm) != nullptr; }

TrueQueue true_queue(std::string_view algorithm, const Sample& sample) {
  const auto* rule = find_rule(algorithm);
  if (rule == nullptr)
    throw UsageError(
        "'{}' shows no queue; expected dijkstra, mst_prim, priority_queue, stack or "
        "queue",
        algorithm);
  TrueQueue queue{.order = {}, .entered = {}, .key = rule->key, .keys = {}};
  const auto inside = sample.series("in_queue");
  std::vector<double> mask(sample.nodes()), before(sample.nodes(), 0), old_keys(sample.nodes(), 0);
  for (int record = 0; record < sample.length(); ++record) {
    inside.expand(record, mask.data());
    const auto keys = keys_at(*rule, sample, record);
    std::vector<int> order, entered;
    for (int i = 0; i < sample.nodes(); ++i) {
      if (mask[i] != 1) continue;
      order.push_back(i);
      if (before[i] != 1 || keys[i] != old_keys[i]) entered.push_back(i);
    }
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
      return rule->largest_first ? keys[a] > keys[b] : keys[a] < keys[b];
    });
    if (!rule->key.empty()) {
      auto& ordered = queue.keys.emplace_back();
      for (const int node : order) ordered.push_back(keys[node]);
    }
    queue.order.push_back(std::move(order));
    queue.entered.push_back(std::move(entered));
    before = mask;
    old_keys = keys;
  }
  return queue;
}

Agreement agreement(const TrueQueue& queue, int record, const QueueView& view) {
  std::map<int, int> slot_of;  // node -> its newest slot
  for (std::size_t slot = 0; slot < view.written.size(); ++slot) {
    const int written = view.written[slot];
    if (written < 0 || written >= static_cast<int>(queue.entered.size())) continue;
    for (const int node : queue.entered[written]) {
      const auto [found, fresh] = slot_of.try_emplace(node, static_cast<int>(slot));
      if (!fresh && view.written[found->second] < written) found->second = static_cast<int>(slot);
    }
  }
  Agreement result;
  const auto& order = queue.order[record];
  std::map<int, double> place;  // slot -> where the first of its nodes stands in the queue
  for (std::size_t k = 0; k < order.size(); ++k)
    if (const auto found = slot_of.find(order[k]); found != slot_of.end())
      place.try_emplace(found->second, static_cast<double>(k));
  std::vector<double> attention, early;
  for (const auto& [slot, position] : place) {
    attention.push_back(view.attention[slot]);
    early.push_back(-position);
  }
  result.correlated = rank_correlation(attention, early, result.correlation);

  std::size_t full = 0, most = view.written.size();
  for (std::size_t slot = 0; slot < view.written.size(); ++slot) {
    if (view.written[slot] < 0) continue;
    ++full;
    if (most == view.written.size() || view.attention[slot] > view.attention[most]) most = slot;
  }
  if (order.empty() || full < 2) return result;
  const auto top = slot_of.find(order.front());
  result.comparable = top != slot_of.end();
  result.top = result.comparable && top->second == static_cast<int>(most);
  return result;
}

}  // namespace npq::clrs
