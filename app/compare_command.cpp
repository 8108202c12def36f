// npq compare: a few runs side by side.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <memory>

#include "app/commands.h"
#include "app/output.h"
#include "app/report_table.h"
#include "app/table.h"
#include "app/terminal.h"
#include "npq/base/error.h"
#include "npq/base/files/atomic_file.h"
#include "npq/report/result_file.h"
#include "npq/report/tables/side_by_side.h"

namespace npq::app {
namespace {

struct CompareOptions {
  std::vector<std::string> runs;
  std::string out;
};

void print_section(const char* title, const report::Table& rows) {
  if (rows.rows.empty()) return;
  fmt::print("\n{}\n", paint(title, Colour::Bold));
  print_table(rows);
}

/// Beside its letter and the last score, on a narrow terminal.
int curve_width() {
  constexpr int kBeside = 10, kNarrowest = 8;
  const auto screen = static_cast<int>(screen_width(STDOUT_FILENO));
  if (screen == 0) return report::kWidestCurve;
  return std::clamp(screen - kBeside, kNarrowest, report::kWidestCurve);
}

int compare(const CompareOptions& options) {
  if (options.runs.size() < 2)
    throw UsageError("npq compare got one run; expected two or more (npq report shows one)");
  std::vector<report::Run> runs;
  for (const auto& run : options.runs)
    runs.push_back(report::is_result_file(run) ? report::read_result_file(run)
                                               : report::read_run(run));
  for (const auto& run : runs)
    for (const auto& warning : run.warnings) complain(warning);
  const auto all = report::side_by_side(runs, curve_width());
  print_table(all.runs);
  print_section("Options that differ", all.options);
  if (all.options.rows.empty()) fmt::print("\nno option differs\n");
  print_section("Scores in percent, of peptides errors, with 95% intervals over samples",
                all.scores);
  print_section("Graph by graph: points of percent, with their 95% interval over graphs",
                all.graphs);
  if (all.graphs.rows.empty() && !runs[0].metric().is_share)
    fmt::print(
        "\nmolecules are not compared one by one; npq peptides evaluate RUN has their errors "
        "target by target\n");
  else if (all.graphs.rows.empty())
    fmt::print(
        "\nnothing to compare graph by graph; npq evaluate RUN --sizes N keeps what it "
        "needs, for the same sizes and samples of each run\n");
  if (!all.curves.empty()) fmt::print("\n{}\n", paint(all.curves_axis, Colour::Bold));
  for (const auto& line : all.curves) fmt::print("{}\n", line);
  if (options.out.empty()) return 0;
  const auto folder = std::filesystem::path(options.out).parent_path();
  if (!folder.empty()) make_folder(folder);
  write_file(options.out,
             report::side_by_side_page(all, runs,
                                       fmt::format("npq compare {} --out {}",
                                                   fmt::join(options.runs, " "), options.out)));
  fmt::print("\n{}\n", options.out);
  return 0;
}

}  // namespace

void add_compare(Cli& cli) {
  auto options = std::make_shared<CompareOptions>();
  auto* command = cli.command(
      cli.root(), "compare",
      "two or more runs side by side: options that differ, scores, graphs, curves",
      {"npq compare runs/none runs/queue", "npq compare runs/none runs/queue --out compare.html"},
      [options] { return compare(*options); });
  command
      ->add_option(
          "runs", options->runs,
          "run folders or committed results (seedS.json); the first is what the others are "
          "compared with")
      ->type_name("RUN")
      ->required()
      ->multi_option_policy(CLI::MultiOptionPolicy::Throw);
  command->add_option("--out", options->out, "also as a self-contained page")
      ->type_name("FILE.html");
}

}  // namespace npq::app
