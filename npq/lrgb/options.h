#pragma once
#include <cstdint>
#include <string_view>

#include "npq/base/options/option_table.h"
#include "npq/memory/catalog.h"
#include "npq/memory/options.h"

// What a network for peptides is, as named choices. Free of torch.
namespace npq::lrgb {

/// The message passing of a layer.
enum class Base { Gcn, Gine, Gatv2 };
inline constexpr NamedChoice<Base> kBases[] = {
    {"gcn", Base::Gcn}, {"gine", Base::Gine}, {"gatv2", Base::Gatv2}};

/// What surrounds it.
///   Plain  the baseline as published: batch norm, relu and L2 norm (GCN, GATv2), MLP (GINE)
///   Ref    the memory layer as published, which lacks all these (biases for GATv2 instead): with
///          --memory none the published memory models without the memory alone
///   Full   the baseline's own layer with the memory's message added inside; without a memory it is
///          Plain
enum class Layer { Plain, Ref, Full };
inline constexpr NamedChoice<Layer> kLayers[] = {
    {"plain", Layer::Plain}, {"ref", Layer::Ref}, {"full", Layer::Full}};

struct ModelOptions {
  Base base = Base::Gcn;
  Layer layer = Layer::Plain;
  static constexpr std::int64_t kMostLayers = 1000;
  std::int64_t layers = 5;
  std::int64_t hidden = 0;          // D; 0: as published, 300 for GCN, 208 for the others
  std::int64_t memory_width = 128;  // Z and Mw: what the memory sees of a node, and what it says
  memory::MemoryOptions memory;     // shared by all layers; layer k is its step k

  bool has_memory() const { return memory::find_row(memory.name).kind != memory::Kind::None; }
  std::int64_t width() const { return hidden > 0 ? hidden : base == Base::Gcn ? 300 : 208; }

  /// Throws a UsageError that names the flag, what it holds and what it may hold.
  void validate() const;
};

/// The options of a network but for its memory's, each declared once.
const OptionTable<ModelOptions>& model_option_table();

/// The memory of the peptide experiments: 8 slots and 8 heads, its state carried from layer to
/// layer. Reference is the queue of the authors' peptide code, which writes one slot after the
/// other and is in this not the one of their CLRS code.
memory::MemoryOptions peptide_memory(std::string_view name,
                                     memory::Preset preset = memory::Preset::Paper);

}  // namespace npq::lrgb
