// The memories' names and flags, and the options that they stand for.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "npq/base/names.h"
#include "npq/c/clrs_options.h"
#include "npq/c/handles.h"
#include "npq/memory/catalog.h"
#include "npq/memory/flags.h"

namespace npq::c {
namespace {

using nlohmann::json;
using Q = memory::PriorityQueueOptions;

std::string_view name_of(memory::Kind kind) {
  switch (kind) {
    case memory::Kind::None:
      return "none";
    case memory::Kind::PriorityQueue:
      return "priority_queue";
    case memory::Kind::Stack:
      return "stack";
    case memory::Kind::Queue:
      return "queue";
    case memory::Kind::Deque:
      return "deque";
    case memory::Kind::Lstm:
      return "lstm";
    case memory::Kind::Gru:
      return "gru";
    case memory::Kind::VirtualNode:
      return "virtual_node";
    case memory::Kind::Ntm:
      return "ntm";
    case memory::Kind::Oracle:
      return "oracle";
    case memory::Kind::Constant:
      return "constant";
    case memory::Kind::GlobalMean:
      return "global_mean";
  }
  NPQ_ASSERT(false);
}

json memory_catalog_json() {
  auto rows = json::array(), flags = json::array();
  for (const auto& row : memory::catalog())
    rows.push_back({{"name", row.name}, {"title", row.title}, {"kind", name_of(row.kind)}});
  for (const auto& flag : memory::flags())
    flags.push_back({{"name", flag.name}, {"help", flag.help}, {"choices", flag.choices}});
  return {{"memories", rows}, {"flags", flags}};
}

/// A flag's value as the command line would have it.
std::string flag_text(const std::string& name, const json& value) {
  if (value.is_string()) return value;
  if (value.is_boolean()) return value.get<bool>() ? "on" : "off";
  if (value.is_number_integer()) return value.dump();
  throw UsageError("--{} is {}; expected a word or a whole number", name, value.dump());
}

json memory_options_json(const memory::MemoryOptions& options) {
  const auto& row = memory::find_row(options.name);
  auto flags = json::object();
  for (const auto& [name, value] : memory::flag_values(options)) flags[name] = value;
  const auto& q = options.queue;
  return {{"name", row.name},
          {"title", row.title},
          {"kind", name_of(row.kind)},
          {"flags", flags},
          {"queue",
           {{"read", q.read == Q::Read::Max ? "max" : "weighted"},
            {"reader", q.reader == Q::Reader::Graph ? "graph" : "node"},
            {"pop", q.pop == Q::Pop::Keep ? "keep" : "consume"},
            {"send_to_all", q.send_to_all}}}};
}

}  // namespace
}  // namespace npq::c

using namespace npq::c;

npq_status npq_memory_catalog(npq_handle* text) {
  return guarded([&] {
    *required(text, "text") = keep(std::make_shared<Text>(memory_catalog_json().dump()));
  });
}

npq_status npq_memory_options(const char* name, const char* preset, const char* flags,
                              npq_handle* text) {
  return guarded([&] {
    required(text, "text");
    auto options = npq::memory::memory_options(
        required(name, "name"), npq::memory::preset_named(required(preset, "preset")));
    const auto given = parse_object(required(flags, "flags"));
    for (const auto& [flag, value] : given.items())
      npq::memory::set_flag(options, flag, flag_text(flag, value));
    *text = keep(std::make_shared<Text>(memory_options_json(options).dump()));
  });
}
