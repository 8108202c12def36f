#include "npq/report/pages/page.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "npq/report/charts/bars.h"
#include "npq/report/charts/curves.h"
#include "npq/report/pages/text.h"
#include "npq/report/tables/conclusion.h"
#include "npq/report/tables/health.h"
#include "npq/report/tables/paired.h"
#include "npq/report/tables/paper_comparison.h"
#include "npq/report/tables/peptides.h"
#include "npq/report/tables/sign_test.h"
#include "npq/report/tables/worth.h"

namespace npq::report {
namespace {

constexpr std::string_view kHowToRead =
    "Scores are percent, of several seeds the mean ± population standard deviation. Best is the "
    "model with the highest validation score, last the one after the last step. Time and steps/s "
    "are medians over seeds and count validation too.";
constexpr std::string_view kHowToCompare =
    "Percent; the difference, ours less the paper's, in points. The authors' code, which made the "
    "paper's numbers, loses its queue after the first step: with a "
    "queue that is carried (the default here) it is another model than theirs.";
constexpr std::string_view kPaired = "Against each other, over seeds and graph by graph";
constexpr std::string_view kHowToPair =
    "Mean difference of the score, in points of percent, over the seeds that both models have, or "
    "over all seeds where they have none in common. The first 95% interval is over seeds "
    "(Student's t, seed by seed where both have them): it says what other seeds would give. The "
    "second is over the test graphs (bootstrap): it says what other graphs would give with these "
    "seeds. One draw has no interval over seeds and decides nothing. A form of a memory is also "
    "compared with the memory as it is.";
constexpr std::string_view kSigns = "Over all algorithms: wins and losses against the baseline";
constexpr std::string_view kHowToReadSigns =
    "A win is a higher mean score on an algorithm, over the seeds that both have, however small "
    "the difference. p is how often a fair coin, thrown once for each algorithm without a tie, "
    "falls at least as unevenly, to either side.";
constexpr std::string_view kReasons = "Why each model is there";
constexpr std::string_view kHowToReadReasons = "The question that the experiment asks of it.";
constexpr std::string_view kWorth = "What the memory is worth to the trained network";
constexpr std::string_view kHowToReadWorth =
    "The same trained models, tested again without a part of their memory (npq evaluate --ablate): "
    "zero, every message is its bias; freeze, the state of the first step stays; shuffle, a graph "
    "reads the memory of another; empty, emptied before every read. Lost is the score with the "
    "whole memory less that without the part, on the same graphs, in points (on peptides the "
    "growth of the error). What loses nothing does not use that part.";
constexpr std::string_view kHealth = "What the memories hold";
constexpr std::string_view kHowToReadHealth =
    "When the log last looked, on the first validation graphs, means over steps: a queue that "
    "every "
    "step drains holds the newest element alone, and remembers nothing longer than a step. "
    "Saturated are values beyond ±0.999.";
constexpr std::string_view kTwins = "With a memory, and without one but with everything else";
constexpr std::string_view kPaper =
    "The paper trains 30 000 steps (peptides: 500 epochs) with three seeds. Shorter runs or fewer "
    "seeds do not reproduce its numbers:";

std::string details(const Run& run) {
  std::string text =
      fmt::format("<details><summary><code>{}</code></summary>\n<pre>{}</pre>\n<dl>",
                  html(run.folder.string()), html(run.command() + "\n" + run.test_command()));
  for (const auto* part : {&run.about, &run.options})
    for (const auto& [key, value] : *part)
      text += fmt::format("<div><dt>{}</dt><dd>{}</dd></div>", html(key),
                          html(value.empty() ? "-" : value));
  return text + "</dl></details>\n";
}

/// What falls short of the paper: which groups, and words. Many of the same are counted, since
/// every row of the tables says it too.
std::vector<std::string> shortfalls(const std::vector<Group>& groups) {
  constexpr std::size_t kNamed = 4;
  std::vector<std::string> order, all;
  std::map<std::string, std::vector<std::string>> names;
  for (const auto& group : groups) {
    const auto words = shortfall(group);
    if (words.empty()) continue;
    if (!names.contains(words)) order.push_back(words);
    names[words].push_back(fmt::format("{}, {}", group.first().algorithm, group.label));
  }
  for (const auto& words : order) {
    if (names[words].size() > kNamed) {
      all.push_back(fmt::format("{} models: {}", names[words].size(), words));
      continue;
    }
    for (const auto& name : names[words]) all.push_back(fmt::format("{}: {}", name, words));
  }
  return all;
}

/// What the times were taken on, where that is more than one kind of machine.
std::string machines(const std::vector<Run>& runs) {
  std::set<std::string> kinds;
  for (const auto& run : runs) {
    const auto cpu = run.about.find("cpu"), simd = run.about.find("simd");
    if (cpu == run.about.end()) continue;
    kinds.insert(simd == run.about.end() ? cpu->second
                                         : fmt::format("{} ({})", cpu->second, simd->second));
  }
  if (kinds.size() < 2) return "";
  return fmt::format(" The runs are from different machines, so compare times with care: {}.",
                     fmt::join(kinds, "; "));
}

/// Ours beside the paper's, and the best queue beside the baseline.
std::string comparisons(const std::vector<Group>& groups) {
  std::string text;
  for (const auto& one : compare_with_paper(groups)) {
    text += fmt::format("<h2>{}</h2>\n", html(one.title));
    if (text.find(kHowToCompare) == text.npos)
      text += fmt::format("<p class=\"soft\">{}</p>\n", kHowToCompare);
    text += html_table(one.table);
    if (!one.note.empty()) text += fmt::format("<p class=\"soft\">{}</p>\n", html(one.note));
  }
  if (const auto chart = bar_figure(queue_against_baseline(groups)); !chart.empty())
    text += "<h2>Best queue against baseline</h2>\n<div class=\"charts\">\n" + chart + "</div>\n";
  return text;
}

/// A table with how to read it; nothing if it has no rows.
std::string table_section(std::string_view title, std::string_view how, const Table& table) {
  if (table.rows.empty()) return "";
  return fmt::format("<h2>{}</h2>\n<p class=\"soft\">{}</p>\n{}", title, how, html_table(table));
}

/// Peptides have a table of their own.
std::vector<Run> without_peptides(std::vector<Run> runs) {
  std::erase_if(runs, [](const Run& run) { return run.algorithm == kPeptides; });
  return runs;
}

std::string peptides_section(const std::vector<Group>& groups) {
  if (groups.empty()) return "";
  std::string text;
  for (const auto& one : peptides_reports(groups)) {
    text += fmt::format("<h2>{}</h2>\n<p class=\"soft\">{}</p>\n{}", html(one.title),
                        html(one.note), html_table(one.errors));
    if (!one.twins.rows.empty())
      text += fmt::format("<h3>{}</h3>\n{}", kTwins, html_table(one.twins));
    text += peptides_curves(one.groups);
  }
  return text + "<h2>Models on peptides</h2>\n" + html_table(peptides_table(groups));
}

/// How to read the sign tests, and those of the best models as sentences.
std::string signs_in_words(const std::vector<Signs>& signs) {
  std::string words(kHowToReadSigns);
  for (const auto& one : signs)
    if (one.checkpoint == "best") words += " " + one.text() + ".";
  return words;
}

/// The pages of npq trace inside this one, each locked in: it came from a file, and runs scripts.
std::string microscopes(const std::vector<Run>& runs) {
  std::string text;
  for (const auto& run : runs) {
    if (run.microscope.empty()) continue;
    std::string page;
    for (const char c : run.microscope) {
      if (c == '&')
        page += "&amp;";
      else if (c == '"')
        page += "&quot;";
      else
        page += c;
    }
    text += fmt::format(
        "<details class=\"microscope\"><summary>{}, {}: <code>{}</code></summary>\n"
        "<iframe title=\"step by step\" sandbox=\"allow-scripts\" srcdoc=\"{}\"></iframe>"
        "</details>\n",
        html(run.algorithm), html(run.method()), html(run.folder.string()), page);
  }
  if (text.empty()) return text;
  return "<h2>Under the microscope</h2>\n<p class=\"soft\">One graph, step by step: hints, the "
         "memory, who pops what. Open one, then use its slider.</p>\n" +
         text;
}

}  // namespace

std::string html_page(const RunSet& set, const PageOptions& options) {
  const auto all = groups_of(set.runs);
  const auto groups = only_peptides(all, false), peptides = only_peptides(all, true);
  std::string text = html_begin(options.title);
  text += fmt::format("<p class=\"soft\">{} in {}, by {}</p>\n",
                      set.runs.size() == 1 ? "1 run" : fmt::format("{} runs", set.runs.size()),
                      all.size() == 1 ? "1 group" : fmt::format("{} groups", all.size()),
                      html(options.made_by));
  text += html_conclusion(conclusion(all));
  text += html_list("Not all could be read:", set.problems);
  text += html_list(kPaper, shortfalls(all));
  text += table_section(kReasons, kHowToReadReasons, reasons_table(all));
  text += comparisons(groups);
  if (!groups.empty())
    text += fmt::format("<h2>Models, over seeds</h2>\n{}<p class=\"soft\">{}{}</p>\n",
                        html_table(group_table(groups)), kHowToRead, html(machines(set.runs)));
  const auto signs = signs_of(groups);
  text += table_section(kSigns, html(signs_in_words(signs)), signs_table(signs));
  text += peptides_section(peptides);
  text += table_section(kHealth, kHowToReadHealth, health_table(all));
  for (auto first = groups.begin(); first != groups.end();) {
    std::vector<const Group*> alike;
    const auto& algorithm = first->first().algorithm;
    for (; first != groups.end() && first->first().algorithm == algorithm; ++first)
      alike.push_back(&*first);
    text += curves_section(algorithm, alike);
  }
  text +=
      "<p class=\"soft\">Lines are means over seeds, bands one standard deviation to both sides. "
      "Long curves are averaged over neighbouring points. Point at a chart, or use the arrow keys, "
      "to "
      "read its numbers.</p>\n" +
      table_section(kPaired, kHowToPair, paired_table(groups)) +
      table_section(kWorth, kHowToReadWorth, worth_table(all)) + microscopes(set.runs);
  if (const auto runs = run_table(without_peptides(set.runs)); !runs.rows.empty())
    text += "<h2>Runs</h2>\n" + html_table(runs);
  text += "<h2>The command and configuration behind every number</h2>\n";
  for (const auto& run : set.runs) text += details(run);
  return text + html_end(options.command);
}

std::string markdown_page(const RunSet& set, const PageOptions& options) {
  const auto all = groups_of(set.runs);
  const auto groups = only_peptides(all, false), peptides = only_peptides(all, true);
  const auto list = [](std::string_view title, const std::vector<std::string>& items) {
    if (items.empty()) return std::string();
    std::string text = fmt::format("\n{}\n\n", title);
    for (const auto& item : items) text += fmt::format("- {}\n", markdown(item));
    return text;
  };
  std::string text = fmt::format("# {}\n\n", markdown(options.title));
  for (const auto& sentence : conclusion(all)) text += markdown(sentence) + " ";
  text += "\n\n";
  if (!groups.empty())
    text += fmt::format("{}\n{}{}\n", to_markdown(group_table(groups)), kHowToRead,
                        markdown(machines(set.runs)));
  for (const auto& one : compare_with_paper(groups)) {
    text += fmt::format("\n## {}\n\n", markdown(one.title));
    if (text.find(kHowToCompare) == text.npos) text += fmt::format("{}\n\n", kHowToCompare);
    text += to_markdown(one.table);
    if (!one.note.empty()) text += fmt::format("\n{}\n", markdown(one.note));
  }
  const auto section = [](std::string_view title, std::string_view how, const Table& table) {
    return table.rows.empty() ? ""
                              : fmt::format("\n## {}\n\n{}\n\n{}", title, how, to_markdown(table));
  };
  for (const auto& one : peptides_reports(peptides)) {
    text += fmt::format("\n## {}\n\n{}\n\n{}", markdown(one.title), markdown(one.note),
                        to_markdown(one.errors));
    if (!one.twins.rows.empty()) text += fmt::format("\n{}\n\n{}", kTwins, to_markdown(one.twins));
  }
  const auto signs = signs_of(groups);
  text += section(kReasons, kHowToReadReasons, reasons_table(all));
  text += section(kSigns, markdown(signs_in_words(signs)), signs_table(signs));
  text += section(kHealth, kHowToReadHealth, health_table(all));
  text += section(kPaired, kHowToPair, paired_table(groups));
  text += section(kWorth, kHowToReadWorth, worth_table(all));
  text += list(kPaper, shortfalls(all));
  text += list("Not all could be read:", set.problems);
  if (const auto runs = run_table(without_peptides(set.runs)); !runs.rows.empty())
    text += "\n## Runs\n\n" + to_markdown(runs);
  text += "\n## Commands\n\n";
  for (const auto& run : set.runs) {
    const auto commit = run.about.find("commit");
    text += fmt::format(
        "- {}{}: {}{}\n", markdown(run.folder.string()),
        commit == run.about.end() ? "" : fmt::format(" (commit {})", markdown(commit->second)),
        markdown(run.command()), run.tests.empty() ? "" : "; " + markdown(run.test_command()));
  }
  return text;
}

}  // namespace npq::report
