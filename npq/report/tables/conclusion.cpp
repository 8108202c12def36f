#include "npq/report/tables/conclusion.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "npq/report/pages/text.h"
#include "npq/report/tables/differences.h"
#include "npq/report/tables/health.h"
#include "npq/report/tables/peptides.h"

namespace npq::report {
namespace {

using Groups = std::vector<Group>;

struct CountRange {
  std::optional<std::int64_t> least, most;
  void add(std::int64_t count) {
    least = std::min(least.value_or(count), count);
    most = std::max(most.value_or(count), count);
  }
  bool is_one() const { return least == most; }
  std::string text() const {
    return is_one() ? std::to_string(*least) : fmt::format("{} to {}", *least, *most);
  }
};

const RunKind& kind_of(const Groups& groups) { return groups.front().first().kind(); }

/// Steps or epochs.
CountRange lengths_of(const Groups& groups) {
  CountRange range;
  for (const auto& group : groups)
    for (const auto* run : group.runs) range.add(run->length());
  return range;
}

/// "MPNN and MPNN + NPQ_W learned dijkstra for 101 steps with one seed each".
std::string what_was_run(const Groups& groups) {
  std::vector<std::string> models;
  CountRange seeds;
  for (const auto& group : groups) {
    seeds.add(static_cast<std::int64_t>(group.runs.size()));
    if (std::find(models.begin(), models.end(), group.label) == models.end())
      models.push_back(group.label);
  }
  return fmt::format("{} learned {} for {} {} with {}{}", named(models, "models"),
                     named(algorithms_of(groups), "algorithms"), lengths_of(groups).text(),
                     kind_of(groups).length(),
                     seeds.most == 1 ? "one seed" : seeds.text() + " seeds",
                     groups.size() > 1 && seeds.is_one() ? " each" : "");
}

std::string draws(const Groups& groups) {
  const auto single = std::count_if(groups.begin(), groups.end(),
                                    [](const Group& group) { return group.runs.size() == 1; });
  if (single == 0) return "";
  if (single == static_cast<std::ptrdiff_t>(groups.size()))
    return "one seed is one draw and decides nothing";
  return fmt::format("{} of {} models {} one seed, which is one draw and decides nothing", single,
                     groups.size(), single == 1 ? "has" : "have");
}

std::string drained(const Groups& groups) {
  std::vector<std::string> names;
  const bool many = algorithms_of(groups).size() > 1;
  double least = 1;
  bool queues = true;
  for (const auto& group : groups) {
    const auto share = drained_in_every_step(group);
    if (!share) continue;
    const auto& algorithm = group.first().algorithm;
    names.push_back(many ? fmt::format("{} ({})", group.label, algorithm) : group.label);
    least = std::min(least, *share);
    queues = queues && group.first().memory.starts_with("npq_");
  }
  if (names.empty()) return "";
  const bool one = names.size() == 1;
  const auto noun = queues ? (one ? "queue" : "queues") : (one ? "memory" : "memories");
  const auto share = least > 0.995 ? "all" : fmt::format("{:.0f}%", least * 100);
  return fmt::format(
      "the {} of {} {} drained in every step ({} {} of {} strength), so {} little for longer than "
      "a "
      "step",
      noun, named(names, "models"), one ? "is" : "are", one ? "it loses" : "they lose",
      one || least > 0.995 ? share : "at least " + share, one ? "its" : "their",
      one ? "it holds" : "they hold");
}

std::string unfinished(const Groups& groups) {
  std::size_t runs = 0, open = 0;
  for (const auto& group : groups)
    for (const auto* run : group.runs) ++runs, open += !run->finished;
  if (open == 0) return "";
  return fmt::format("{} of {} runs {} not finished", open, runs, open == 1 ? "is" : "are");
}

std::string what_cannot_be_said(const Groups& groups) {
  const auto fewest = *lengths_of(groups).least;
  const auto& kind = kind_of(groups);
  const auto wanted = paper_length(kind);
  const auto generated = std::any_of(groups.begin(), groups.end(), [](const Group& group) {
    return group.first().data == "generated";
  });
  const auto few =
      fewest < wanted
          ? fmt::format("{} {}, where the paper trains {}, say nothing about its numbers", fewest,
                        kind.length(), wanted)
          : "";
  const auto text = joined(
      {draws(groups), few,
       generated ? "the molecules are generated, so no number stands for those of Peptides-struct"
                 : "",
       drained(groups), unfinished(groups)},
      "; ");
  return text.empty() ? "nothing is said about other algorithms, sizes or options" : text;
}

std::string sentence(std::string text) {
  // A name keeps its letters: only our own words begin small.
  if (text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text + ".";
}

}  // namespace

std::vector<std::string> conclusion(const Groups& groups) {
  std::vector<std::string> sentences;
  for (const bool peptides : {false, true}) {
    const auto some = only_peptides(groups, peptides);
    if (some.empty()) continue;
    const auto about = what_was_run(some), result = what_differs(some);
    if (some.size() <= 2) {
      sentences.push_back(sentence(fmt::format("{}; {}", about, result)));
    } else {
      sentences.push_back(sentence(about));
      sentences.push_back(sentence(result));
    }
    sentences.push_back(sentence(what_cannot_be_said(some)));
  }
  return sentences;
}

}  // namespace npq::report
