#include "tests/lrgb/golden_case.h"

#include <ATen/ops/from_blob.h>

#include <regex>

namespace npq::test {
namespace {

lrgb::ModelOptions options_of(const SafetensorsFile& file) {
  const auto& about = file.metadata();
  const bool reference = about.at("queue") == "ref";
  lrgb::ModelOptions options;
  options.base = choice_named("base", lrgb::kBases, about.at("base"));
  options.layer = choice_named("layer", lrgb::kLayers, about.at("layer"));
  options.layers = std::stoll(about.at("layers"));
  options.hidden = file.at("node/0").shape[1];
  options.memory = lrgb::peptide_memory(
      about.at("variant"), reference ? memory::Preset::Reference : memory::Preset::Paper);
  if (!options.has_memory()) return options;
  options.memory_width = file.at("queue/z/1").shape[1];
  options.memory.slots = std::stoll(about.at("slots"));
  options.memory.queue.heads = std::stoll(about.at("heads"));
  return options;
}

template <class Row>
Row row_of(const std::vector<std::int64_t>& numbers, std::size_t row) {
  Row result;
  for (std::size_t k = 0; k < result.size(); ++k)
    result[k] = static_cast<std::uint8_t>(numbers[row * result.size() + k]);
  return result;
}

std::vector<peptides::Graph> graphs_of(const SafetensorsFile& file) {
  const auto x = file.values<std::int64_t>("graph/x"),
             of = file.values<std::int64_t>("graph/batch"),
             edges = file.values<std::int64_t>("graph/edge_index"),
             features = file.values<std::int64_t>("graph/edge_attr");
  std::vector<peptides::Graph> graphs(static_cast<std::size_t>(of.back()) + 1);
  std::vector<std::int32_t> place;
  for (std::size_t i = 0; i < of.size(); ++i) {
    auto& graph = graphs[of[i]];
    place.push_back(static_cast<std::int32_t>(graph.nodes()));
    graph.atoms.push_back(row_of<peptides::Atom>(x, i));
  }
  const auto m = edges.size() / 2;
  for (std::size_t e = 0; e < m; ++e) {
    auto& graph = graphs[of[edges[e]]];
    graph.edges.push_back({place[edges[e]], place[edges[m + e]]});
    graph.bonds.push_back(row_of<peptides::Bond>(features, e));
  }
  return graphs;
}

}  // namespace

PeptideCase::PeptideCase(const std::filesystem::path& path)
    : file(SafetensorsFile::open(path)), options(options_of(file)), graphs(graphs_of(file)) {}

at::Tensor PeptideCase::tensor(const std::string& name) const {
  auto values = file.values<double>(name);
  return at::from_blob(values.data(), file.at(name).shape, at::kDouble).clone();
}

lrgb::Graphs PeptideCase::batch() const {
  std::vector<const peptides::Graph*> all;
  for (const auto& graph : graphs) all.push_back(&graph);
  return lrgb::join_graphs(all, options.base);
}

std::string own_name(const std::string& golden) {
  auto name = std::regex_replace(golden, std::regex("^(atom|bond)\\."), "encoder/$1.");
  name = std::regex_replace(name, std::regex("^layer\\.([0-9]+)\\."), "layer/$1/");
  name = std::regex_replace(name, std::regex("(to|from)_queue"), "$1_memory");
  return std::regex_replace(name, std::regex("^queue\\."), "memory/");
}

ops::ParameterStore PeptideCase::parameters(at::ScalarType dtype) const {
  ops::ParameterStore store;
  for (const auto& info : file.tensors())
    if (info.name.starts_with("param/"))
      store.add(own_name(info.name.substr(6)), tensor(info.name).to(dtype));
  return store;
}

}  // namespace npq::test
