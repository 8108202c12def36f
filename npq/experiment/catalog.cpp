#include "npq/experiment/catalog.h"

#include <filesystem>
#include <string_view>

#include "npq/base/files/mapped_file.h"
#include "npq/base/names.h"

// The files themselves, byte for byte; the folder comes from npq/CMakeLists.txt. A new experiment
// is a file there, one line NPQ_EMBED and one row of the table.
#define NPQ_EMBED(name)                                                                         \
  asm(".section .rodata\n.global npq_experiment_" #name "_begin\n.global npq_experiment_" #name \
      "_end\nnpq_experiment_" #name "_begin:\n.incbin \"" NPQ_EXPERIMENTS_DIR "/" #name         \
      ".json\"\nnpq_experiment_" #name "_end:\n.byte 0\n.section .text\n");                     \
  extern "C" const char npq_experiment_##name##_begin[], npq_experiment_##name##_end[];

NPQ_EMBED(dijkstra)
NPQ_EMBED(processors)
NPQ_EMBED(clrs30)
NPQ_EMBED(league)
NPQ_EMBED(deviations)
NPQ_EMBED(slots)
NPQ_EMBED(triplet)
NPQ_EMBED(peptides)
NPQ_EMBED(evidence_dijkstra)
NPQ_EMBED(evidence_length)
NPQ_EMBED(evidence_peptides)
NPQ_EMBED(evidence_clrs30)

namespace npq::experiment {
namespace {

struct Embedded {
  std::string_view name;
  const char *begin, *end;
};
#define NPQ_ROW(name) \
  { #name, npq_experiment_##name##_begin, npq_experiment_##name##_end }
const Embedded kEmbedded[] = {
    NPQ_ROW(dijkstra),        NPQ_ROW(processors),        NPQ_ROW(clrs30),
    NPQ_ROW(league),          NPQ_ROW(deviations),        NPQ_ROW(slots),
    NPQ_ROW(triplet),         NPQ_ROW(peptides),          NPQ_ROW(evidence_dijkstra),
    NPQ_ROW(evidence_length), NPQ_ROW(evidence_peptides), NPQ_ROW(evidence_clrs30)};
#undef NPQ_ROW

constexpr std::size_t kLargestFile = 1'000'000;

Experiment read_experiment(const std::filesystem::path& path) {
  const MappedFile file(path);
  if (file.bytes().size() > kLargestFile)
    throw Error("'{}' has {} bytes; expected an experiment of at most {}", path.string(),
                file.bytes().size(), kLargestFile);
  const std::string text(reinterpret_cast<const char*>(file.bytes().data()), file.bytes().size());
  return parse_experiment(path.stem().string(), text, path.string());
}

}  // namespace

std::vector<std::string> built_in_names() {
  std::vector<std::string> names;
  for (const auto& row : kEmbedded) names.emplace_back(row.name);
  return names;
}

Experiment find_experiment(const std::string& name) {
  if (name.find('/') != std::string::npos || name.ends_with(".json")) return read_experiment(name);
  std::vector<std::string_view> known;
  for (const auto& row : kEmbedded) {
    if (row.name == name) return parse_experiment(name, {row.begin, row.end}, name);
    known.push_back(row.name);
  }
  throw unknown_name("experiment", name, known);
}

}  // namespace npq::experiment
