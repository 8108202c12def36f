// npq report: tables and curves of any set of run folders.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>

#include "app/commands.h"
#include "app/output.h"
#include "app/report_table.h"
#include "app/table.h"
#include "npq/base/error.h"
#include "npq/base/files/atomic_file.h"
#include "npq/report/charts/bars.h"
#include "npq/report/pages/page.h"
#include "npq/report/pages/text.h"
#include "npq/report/tables/conclusion.h"
#include "npq/report/tables/peptides.h"
#include "npq/report/tables/tables.h"

namespace npq::app {
namespace {

struct ReportOptions {
  std::vector<std::string> folders;
  std::string out, markdown, csv, brief, picture;
  std::string title = report::PageOptions().title;
};

std::string command_line(const ReportOptions& options) {
  std::string line = "npq report";
  for (const auto& folder : options.folders) line += " " + folder;
  return options.out.empty() ? line : line + " --out " + options.out;
}

void write(const std::string& path, const std::string& content) {
  const auto folder = std::filesystem::path(path).parent_path();
  if (!folder.empty()) make_folder(folder);
  write_file(path, content);
}

/// One table of scores and one of errors, for those that have any.
std::string brief(const std::vector<report::Group>& scored,
                  const std::vector<report::Group>& peptides) {
  std::string text;
  if (!scored.empty()) text += report::to_markdown(report::brief_table(scored));
  for (const auto& one : report::peptides_reports(peptides))
    text += report::to_markdown(one.errors);
  return text;
}

int report_runs(const ReportOptions& options) {
  if (!options.picture.empty() && !options.picture.ends_with(".svg"))
    throw UsageError("--picture writes SVG, so '{}' would mislead; call it FILE.svg",
                     options.picture);
  const std::vector<std::filesystem::path> folders(options.folders.begin(), options.folders.end());
  const auto set = report::read_runs(folders);
  const report::PageOptions page{
      .title = options.title, .made_by = "npq " NPQ_VERSION, .command = command_line(options)};
  const auto all = report::groups_of(set.runs);
  const auto scored = report::only_peptides(all, false),
             peptides = report::only_peptides(all, true);
  print_table(report::group_table(scored));
  print_table(report::peptides_table(peptides));
  for (const auto& problem : set.problems) complain(problem);
  if (!options.markdown.empty()) write(options.markdown, report::markdown_page(set, page));
  if (!options.csv.empty()) write(options.csv, report::to_csv(report::raw_table(set.runs)));
  if (!options.brief.empty()) write(options.brief, brief(scored, peptides));
  const auto picture = report::bar_picture(report::models_of_algorithms(scored));
  if (!options.picture.empty() && picture.empty())
    fmt::print(stderr,
               "npq: no picture is made: it shows test scores that all models have at one size; "
               "test them with npq evaluate (errors of peptides have no bars)\n");
  else if (!options.picture.empty())
    write(options.picture, picture);
  if (!options.out.empty()) write(options.out, report::html_page(set, page));
  for (const auto& sentence : report::conclusion(all))
    fmt::print("{}\n", report::shown(sentence, 4000));
  for (const auto& path : {options.markdown, options.csv, options.brief,
                           picture.empty() ? std::string() : options.picture, options.out})
    if (!path.empty()) fmt::print("{}\n", path);
  return 0;
}

}  // namespace

void add_report(Cli& cli) {
  auto options = std::make_shared<ReportOptions>();
  auto* command = cli.command(
      cli.root(), "report",
      "tables and learning curves of all runs below some folders: HTML, Markdown, CSV",
      {"npq report runs", "npq report runs --out report.html",
       "npq report runs/queue runs/none --out report.html --markdown report.md --csv runs.csv"},
      [options] { return report_runs(*options); });
  command
      ->add_option("folders", options->folders,
                   "run folders, committed results (seedS.json), or folders that hold some")
      ->type_name("DIR")
      ->required()
      ->multi_option_policy(CLI::MultiOptionPolicy::Throw);
  command->add_option("--out", options->out, "one self-contained page with tables and curves")
      ->type_name("FILE.html");
  command->add_option("--markdown", options->markdown, "the tables as Markdown")->type_name("FILE");
  command->add_option("--csv", options->csv, "one row per run, every digit")->type_name("FILE");
  command->add_option("--brief", options->brief, "one table of test scores as Markdown")
      ->type_name("FILE");
  command->add_option("--picture", options->picture, "bars of all models at their largest size")
      ->type_name("FILE.svg");
  command->add_option("--title", options->title, "heading of the page")
      ->type_name("TEXT")
      ->capture_default_str();
}

}  // namespace npq::app
