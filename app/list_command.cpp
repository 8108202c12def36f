// npq list: the names that other commands take, one line each.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "app/commands.h"
#include "app/table.h"
#include "npq/clrs/catalog.h"
#include "npq/memory/catalog.h"
#include "npq/nn/processors/catalog.h"

namespace npq::app {
namespace {

struct Named {
  std::string name, what;
};

/// "max popping (the best slot alone), keeps what it reads": the choices that define a queue.
std::string words_of(const memory::PriorityQueueOptions& queue) {
  using Q = memory::PriorityQueueOptions;
  std::string words = queue.read == Q::Read::Max ? "max popping (the best slot alone)"
                                                 : "weighted popping (all slots by attention)";
  if (queue.pop == Q::Pop::Keep) words += ", keeps what it reads";
  if (queue.send_to_all) words += ", sends every value to all nodes";
  if (queue.reader == Q::Reader::Graph) words += ", one value for the whole graph";
  if (queue.push_pool == memory::Pool::Mean) words += ", pushes averaged";
  if (queue.pop_budget == Q::PopBudget::Graph) words += ", one budget of pops for all nodes";
  if (queue.straight_through) words += ", straight-through gradients";
  return words;
}

std::string words_of(const memory::Row& row) {
  const std::string title(row.title);
  switch (row.kind) {
    case memory::Kind::None:
      return "no memory: the processor alone";
    case memory::Kind::PriorityQueue:
      return fmt::format("{}: {}", title, words_of(row.queue));
    case memory::Kind::Oracle:
      return title + ": is told what the algorithm's own queue pops and pushes";
    case memory::Kind::Stack:
    case memory::Kind::Queue:
    case memory::Kind::Deque:
      return title + " in the place of the priority queue";
    case memory::Kind::Lstm:
    case memory::Kind::Gru:
    case memory::Kind::VirtualNode:
    case memory::Kind::Ntm:
      return title;
    case memory::Kind::Constant:
    case memory::Kind::GlobalMean:
      return title + " to every node, and nothing is kept: a control";
  }
  return title;
}

std::string words_of(const nn::ProcessorKind& kind) {
  std::string words = kind.family == nn::ProcessorFamily::Pgn   ? "maximum of learned messages"
                      : kind.family == nn::ProcessorFamily::Gat ? "graph attention (GAT)"
                                                                : "graph attention (GATv2)";
  words += kind.adjacency == nn::AdjacencyUse::Full    ? " from all nodes"
           : kind.adjacency == nn::AdjacencyUse::Given ? " from neighbours"
                                                       : " from the node itself alone";
  if (kind.triplets) words += "; edges also see triples of nodes";
  if (kind.gated) words += "; a gate keeps a part of the old state";
  if (kind.masked_decoders) words += "; answers choose among neighbours only";
  return words;
}

std::string words_of(const clrs::Algorithm& algorithm) {
  const auto names = [&](clrs::Stage stage) {
    std::vector<std::string> found;
    for (const auto& probe : algorithm.spec())
      if (probe.stage == stage && probe.name != "pos") found.push_back(probe.name);
    return fmt::format("{}", fmt::join(found, " "));
  };
  return fmt::format("{}: {} -> {}", clrs::name_of(algorithm.family), names(clrs::Stage::Input),
                     names(clrs::Stage::Output));
}

std::vector<Named> memories() {
  std::vector<Named> list;
  for (const auto& row : memory::catalog()) list.push_back({std::string(row.name), words_of(row)});
  return list;
}

std::vector<Named> processors() {
  std::vector<Named> list;
  for (const auto& kind : nn::kProcessors) list.push_back({std::string(kind.name), words_of(kind)});
  return list;
}

std::vector<Named> algorithms() {
  std::vector<Named> list;
  for (const auto table : {clrs::catalog(), clrs::structure_tasks()})
    for (const auto& algorithm : table)
      list.push_back({std::string(algorithm.name), words_of(algorithm)});
  return list;
}

int print(const std::vector<Named>& list, const char* heading, bool json) {
  if (json) {
    auto all = nlohmann::json::array();
    for (const auto& one : list) all.push_back({{"name", one.name}, {"what", one.what}});
    fmt::print("{}\n", all.dump(2));
    return 0;
  }
  std::vector<std::vector<std::string>> rows = {{heading, "what it is"}};
  for (const auto& one : list) rows.push_back({one.name, one.what});
  fmt::print("{}", table(rows));
  return 0;
}

void add(Cli& cli, CLI::App* list, const std::string& name, const std::string& description,
         const char* heading, std::vector<Named> (*names)()) {
  auto json = std::make_shared<bool>(false);
  auto* command =
      cli.command(list, name, description, {"npq list " + name, "npq list " + name + " --json"},
                  [=] { return print(names(), heading, *json); });
  command->add_flag("--json", *json, "as JSON");
}

}  // namespace

void add_list(Cli& cli) {
  auto* list = cli.group("list");
  add(cli, list, "memories", "what --memory takes", "memory", memories);
  add(cli, list, "processors", "what --processor takes (npq peptides train: gcn, gine, gatv2)",
      "processor", processors);
  add(cli, list, "algorithms",
      "what --algorithm takes, with inputs and outputs; npq data list says more", "algorithm",
      algorithms);
}

}  // namespace npq::app
