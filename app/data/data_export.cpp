// npq data export: traces as files.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>

#include "app/commands.h"
#include "app/data/data_options.h"
#include "app/terminal.h"
#include "npq/base/files/atomic_file.h"
#include "npq/base/names.h"
#include "npq/base/resources.h"
#include "npq/clrs/dataset/export.h"

namespace npq::app {
namespace {

struct ExportOptions {
  std::vector<std::string> algorithms;
  SampleFlags flags;
  std::string out;
  std::string format = "safetensors";
  bool padded = false;
  bool force = false;
  int threads = 0;
  bool quiet = false;
};

clrs::FileFormat find_format(const std::string& name) {
  if (name == "safetensors") return clrs::FileFormat::Safetensors;
  if (name == "npz") return clrs::FileFormat::Npz;
  static constexpr std::string_view known[] = {"safetensors", "npz"};
  throw unknown_name("format", name, known);
}

int export_files(const ExportOptions& options) {
  const auto format = find_format(options.format);
  const auto layout = options.padded ? clrs::FileLayout::Padded : clrs::FileLayout::Samples;
  // Every name and number is checked before the first file is written.
  struct Job {
    const clrs::Algorithm* algorithm;
    clrs::GenerateOptions wanted;
  };
  std::vector<Job> jobs;
  for (const auto& name : options.algorithms) {
    const auto& algorithm = clrs::find_algorithm(name);
    jobs.push_back(
        {&algorithm, options.flags.options(algorithm, {.seed = 1, .length = 16, .samples = 1000})});
  }
  const auto path_of = [&](const clrs::Algorithm& algorithm) {
    return std::filesystem::path(options.out) /
           fmt::format("{}.{}", algorithm.name, options.format);
  };
  for (const auto& job : jobs)
    if (std::filesystem::exists(path_of(*job.algorithm)) && !options.force)
      throw Error("'{}' is there already; --force overwrites it, or choose another --out",
                  path_of(*job.algorithm).string());
  for (const auto& job : jobs) {
    const auto what = fmt::format("{}: --samples {} of --nodes {}", job.algorithm->name,
                                  job.wanted.samples, job.wanted.length);
    check_memory(clrs::least_bytes(*job.algorithm, job.wanted), what, "fewer samples, fewer nodes");
    check_disk(clrs::least_file_bytes(*job.algorithm, job.wanted), options.out, what,
               "fewer samples, fewer nodes");
  }
  make_folder(options.out);
  for (const auto& job : jobs) {
    const auto* algorithm = job.algorithm;
    const auto& wanted = job.wanted;
    const auto path = path_of(*algorithm);
    clrs::Dataset dataset = [&] {
      ProgressBar bar(fmt::format("{}: generate", algorithm->name), wanted.samples, options.quiet);
      return clrs::generate(*algorithm, wanted, options.threads,
                            [&](std::int64_t done, std::int64_t) { bar.update(done); });
    }();
    const auto per_sample = static_cast<std::int64_t>(algorithm->spec().size()) + 1;
    ProgressBar bar(fmt::format("{}: write", algorithm->name),
                    options.padded ? per_sample : per_sample * wanted.samples, options.quiet);
    clrs::export_dataset(dataset, path, format, layout,
                         [&](std::int64_t done, std::int64_t) { bar.update(done); });
    if (!options.quiet)
      fmt::print("{}: {} samples of {} nodes, {}\n", path.string(), wanted.samples,
                 algorithm->nodes(wanted.length),
                 human_bytes(static_cast<double>(std::filesystem::file_size(path))));
  }
  return 0;
}

}  // namespace

void add_data_export(Cli& cli) {
  auto options = std::make_shared<ExportOptions>();
  auto* command = cli.command(
      cli.group("data"), "export",
      "write traces to DIR/ALGO.safetensors (or .npz): any split, size or seed",
      {"npq data export dijkstra --split test --out data",
       "npq data export dijkstra bfs --nodes 32 --samples 100 --seed 7 --out data",
       "npq data export mst_prim --nodes 24 --samples 10 --seed 1 --p 0.1,0.5 --out data --format "
       "npz",
       "npq data export kmp_matcher --nodes 20 --samples 10 --seed 1 --needle -8 --padded --out "
       "data"},
      [options] { return export_files(*options); });
  command->add_option("algorithms", options->algorithms, "which (npq data list)")
      ->type_name("ALGO")
      ->required()
      ->multi_option_policy(CLI::MultiOptionPolicy::Throw);
  options->flags.bind(command, /*with_split=*/true);
  command->add_option("--out", options->out, "folder for the files")->type_name("DIR")->required();
  command->add_option("--format", options->format, "file format")
      ->type_name("safetensors|npz")
      ->capture_default_str();
  command->add_flag("--padded", options->padded,
                    "one array per name for the whole split, hints padded with zeros");
  command->add_flag("--force", options->force, "overwrite files that are there already");
  command->add_option("--threads", options->threads, "threads (0: all)")->capture_default_str();
  command->add_flag("--quiet", options->quiet, "no progress, no summary");
}

}  // namespace npq::app
