// npq peptides import, npq peptides generate: write molecules to one checked file.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>

#include "app/commands.h"
#include "app/output.h"
#include "app/terminal.h"
#include "npq/base/error.h"
#include "npq/base/files/atomic_file.h"
#include "npq/peptides/chemistry.h"
#include "npq/peptides/generator.h"
#include "npq/peptides/import.h"
#include "npq/peptides/torch_file.h"

namespace npq::app {
namespace {

struct Output {
  std::string out;
  int threads = 0;
  bool quiet = false;

  void bind(CLI::App* command) {
    command->add_option("--out", out, "folder for the data set")->type_name("DIR")->required();
    command->add_option("--threads", threads, "threads (0: all)")->capture_default_str();
    command->add_flag("--quiet", quiet, "no progress, no summary");
  }

  /// Checked before the work, not after.
  void check() const {
    if (std::filesystem::exists(peptides::dataset_file(out)))
      throw Error("'{}' already holds a data set; choose another --out or remove it", out);
  }

  void write(const peptides::Dataset& dataset) const {
    make_folder(out);
    peptides::save_dataset(out, dataset);
    if (quiet) return;
    const auto size = [&](peptides::Part part) { return dataset.split[part].size(); };
    fmt::print(
        "{}: {} molecules, {} atoms, {} edges; train {}, val {}, test {}; {}\n",
        peptides::dataset_file(out).string(), dataset.graphs.size(), dataset.nodes(),
        dataset.edges(), size(peptides::Part::Train), size(peptides::Part::Val),
        size(peptides::Part::Test),
        human_bytes(static_cast<double>(std::filesystem::file_size(peptides::dataset_file(out)))));
  }
};

/// A bar that knows its length only once the work has begun.
class Bar {
 public:
  Bar(std::string what, bool quiet) : what_(std::move(what)), quiet_(quiet) {}
  void operator()(std::int64_t done, std::int64_t total) {
    if (!bar_) bar_ = std::make_unique<ProgressBar>(what_, total, quiet_);
    bar_->update(done);
  }

 private:
  std::string what_;
  bool quiet_;
  std::unique_ptr<ProgressBar> bar_;
};

struct ImportFlags {
  std::string table, splits;
  bool skip_bad = false;
  Output output;
};

bool is_featurised(const std::filesystem::path& path) {
  return path.extension() == ".zip" || std::filesystem::is_directory(path);
}

int import_peptides(const ImportFlags& flags) {
  flags.output.check();
  if (is_featurised(flags.table)) {
    if (!flags.splits.empty() || flags.skip_bad)
      throw UsageError("featurised files bring their splits along; leave out --splits, --skip-bad");
    Bar bar("read", flags.output.quiet);
    flags.output.write(peptides::read_featurised_splits(flags.table, std::ref(bar)));
    return 0;
  }
  if (flags.splits.empty())
    throw UsageError("--splits is missing; a table needs the split pickle or a JSON file");
  const auto imported = [&] {
    Bar bar("featurise", flags.output.quiet);
    return peptides::import_table({.table = flags.table,
                                   .splits = flags.splits,
                                   .skip_bad = flags.skip_bad,
                                   .threads = flags.output.threads},
                                  std::ref(bar));
  }();
  for (const auto& warning : imported.warnings) complain(warning);
  flags.output.write(imported.dataset);
  return 0;
}

struct GenerateFlags {
  peptides::GenerateOptions options;
  Output output;
};

int generate_peptides(const GenerateFlags& flags) {
  flags.options.validate();
  flags.output.check();
  const auto dataset = [&] {
    Bar bar("generate", flags.output.quiet);
    return peptides::generate(flags.options, flags.output.threads, std::ref(bar));
  }();
  flags.output.write(dataset);
  return 0;
}

}  // namespace

void add_peptides_import(Cli& cli) {
  auto flags = std::make_shared<ImportFlags>();
  auto* command = cli.command(
      cli.group("peptides"), "import",
      "read the published Peptides-struct files: the table with its splits (molecules are "
      "featurised as OGB does, with RDKit), or PyG's featurised files",
      {"npq peptides import peptide_structure_dataset.csv.gz --splits "
       "splits_random_stratified_peptide_structure.pickle --out data/peptides",
       "npq peptides import peptides_struct.csv --splits lrgb_splits_peptides_struct.json --out "
       "data/peptides",
       "npq peptides import peptidesstruct.zip --out data/peptides"},
      [flags] { return import_peptides(*flags); });
  command
      ->add_option("table", flags->table,
                   "CSV, gzipped or not; or train.pt, val.pt, test.pt in a folder or zip")
      ->type_name("FILE")
      ->required();
  command->add_option("--splits", flags->splits, "pickle or JSON with train, val and test rows")
      ->type_name("FILE");
  command->add_flag("--skip-bad", flags->skip_bad,
                    "leave out rows that cannot be used, and count them, instead of failing");
  flags->output.bind(command);
}

void add_peptides_generate(Cli& cli) {
  auto flags = std::make_shared<GenerateFlags>();
  auto* command = cli.command(
      cli.group("peptides"), "generate",
      "make peptides with the targets of an idealised shape: no download, the same for the same "
      "seed; not comparable with results on the published data",
      {"npq peptides generate --count 2000 --seed 1 --out data/generated"},
      [flags] { return generate_peptides(*flags); });
  command->add_option("--count", flags->options.count, "how many")
      ->type_name("K")
      ->capture_default_str();
  command->add_option("--seed", flags->options.seed, "of sequences and splits")
      ->type_name("S")
      ->capture_default_str();
  flags->output.bind(command);
}

}  // namespace npq::app
