#include "app/engine/prove_page.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "npq/report/pages/page.h"
#include "npq/report/pages/text.h"

namespace npq::app {
namespace {

using prove::Desideratum;
using prove::Verdict;
using report::Chart;
using report::Series;

std::string number(double value) {
  if (value == 0) return "0";
  const bool plain = std::abs(value) >= 0.001 && std::abs(value) < 1e6;
  return plain ? fmt::format("{:.3f}", value) : fmt::format("{:.1e}", value);
}

std::string word(const Verdict& verdict) {
  if (verdict.claimed) return verdict.holds ? "holds" : "FAILS";
  return verdict.holds ? "holds (not claimed)" : "no (not claimed)";
}

void fill(ProofSection& section, const std::vector<prove::PersistenceRow>& rows,
          const std::vector<Verdict>& verdicts) {
  section.how =
      "Written at step 0, then T steps without a successful pop. Moved: largest change of a "
      "written number. R²: what the best linear map still recovers. Gradient: of a read at "
      "step T by the first input, relative to T = 1 (a queue is asked for the element by its "
      "content; 'ordinary' asks with untrained weights).";
  section.table.columns = {{"memory"},
                           {"moved, T=256", true},
                           {"R², T=16", true},
                           {"R², T=256", true},
                           {"gradient, T=16", true},
                           {"gradient, T=256", true},
                           {"ordinary, T=256", true},
                           {"persistence", false, true}};
  Chart gradient{"Gradient of a read by the first write",
                 "steps T",
                 "log10, relative to T = 1; cut at -12 and 3",
                 {}};
  Chart recovered{"Recovered from the state", "steps T", "R²", {}};
  gradient.doubling = recovered.doubling = true;
  recovered.most = 1;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto& points = rows[i].points;
    const auto &middle = points[points.size() / 2], &last = points.back();
    section.table.rows.push_back({rows[i].memory, number(last.moved), number(middle.recovered),
                                  number(last.recovered), number(middle.gradient),
                                  number(last.gradient), number(last.ordinary_gradient),
                                  word(verdicts[i])});
    Series slope{rows[i].memory, static_cast<int>(i), {}}, share = slope;
    for (const auto& point : points) {
      const auto steps = static_cast<double>(point.steps);
      slope.points.push_back({steps, std::log10(std::clamp(point.gradient, 1e-12, 1e3))});
      share.points.push_back({steps, point.recovered});
    }
    gradient.series.push_back(std::move(slope));
    recovered.series.push_back(std::move(share));
  }
  section.charts = {std::move(gradient), std::move(recovered)};
}

void fill(ProofSection& section, const std::vector<prove::EquivarianceRow>& rows,
          const std::vector<Verdict>& verdicts) {
  section.how = fmt::format(
      "Four steps in float64 on random graphs of {} nodes, with every processor, before and "
      "after renaming the nodes: the largest difference of a message or hidden state, relative to "
      "the largest number, must stay below {:.0e}.",
      fmt::join(prove::equivariance_sizes(), ", "), prove::kEquivarianceTolerance);
  section.table.columns = {{"memory"},         {"processors", true}, {"largest difference", true},
                           {"with processor"}, {"at nodes", true},   {"equivariance", false, true}};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto& worst = rows[i].worst();
    section.table.rows.push_back({rows[i].memory, std::to_string(rows[i].cells.size()),
                                  number(worst.difference), worst.processor,
                                  std::to_string(worst.nodes), word(verdicts[i])});
  }
}

void fill(ProofSection& section, const std::vector<prove::ReductionRow>& rows,
          const std::vector<Verdict>& verdicts) {
  section.how =
      "The weights of the paper's appendix C against the standard containers, in float32: random "
      "sequences of 1 to 64 operations, compared after each. A mismatch is a sequence that differs "
      "anywhere.";
  section.table.columns = {{"memory"}};
  if (!rows.empty())
    for (const auto& check : rows.front().checks)
      section.table.columns.push_back(
          {fmt::format("mismatches with {}", prove::structure_name(check.structure)), true});
  section.table.columns.push_back({"operations", true});
  section.table.columns.push_back({"reduction", false, true});
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::vector<std::string> cells = {rows[i].memory};
    std::int64_t operations = 0;
    for (const auto& check : rows[i].checks) {
      cells.push_back(fmt::format("{} of {}", check.mismatches, check.sequences));
      operations += check.operations;
    }
    cells.push_back(std::to_string(operations));
    cells.push_back(word(verdicts[i]));
    section.table.rows.push_back(std::move(cells));
  }
}

/// Means over ten steps, over seeds, with their spread.
Series loss_curve(const prove::SupervisionRow& row, int colour) {
  constexpr std::size_t kWindow = 10;
  Series series{row.memory, colour, {}};
  for (std::size_t end = kWindow; end <= row.runs.front().losses.size(); end += kWindow) {
    double sum = 0, squares = 0;
    for (const auto& run : row.runs) {
      double mean = 0;
      for (std::size_t k = end - kWindow; k < end; ++k) mean += run.losses[k] / kWindow;
      sum += mean;
      squares += mean * mean;
    }
    const auto seeds = static_cast<double>(row.runs.size());
    const double mean = sum / seeds;
    series.points.push_back(
        {static_cast<double>(end), mean, std::sqrt(std::max(0.0, squares / seeds - mean * mean))});
  }
  return series;
}

void fill(ProofSection& section, const std::vector<prove::SupervisionRow>& rows,
          const std::vector<Verdict>& verdicts) {
  const auto runs = rows.empty() ? 0 : rows.front().runs.size();
  section.how = fmt::format(
      "Dijkstra with 16 nodes, no hint shown and none asked for, {} seeds: the mean loss of the "
      "last ten steps must be below {} of the first ten's with every seed, and gradients must "
      "reach what the memory writes and says. No gradient: parameters that never got one.",
      runs, prove::kLossShare);
  section.table.columns = {{"memory"},
                           {"loss, first 10", true},
                           {"loss, last 10", true},
                           {"worst ratio", true},
                           {"smallest gradient", true},
                           {"no gradient"},
                           {"supervision", false, true}};
  Chart chart{"Loss without hints", "step", "mean over ten steps and over seeds", {}};
  for (std::size_t i = 0; i < rows.size(); ++i) {
    double first = 0, last = 0, worst = 0, smallest = INFINITY;
    for (const auto& run : rows[i].runs) {
      first += run.first() / static_cast<double>(rows[i].runs.size());
      last += run.last() / static_cast<double>(rows[i].runs.size());
      worst = std::max(worst, run.last() / run.first());
      for (const auto& [name, norm] : run.gradients)
        if (norm > 0) smallest = std::min(smallest, norm);
    }
    std::vector<std::string> unreached;
    for (const auto& name : rows[i].unreached()) unreached.push_back(name.substr(7));
    section.table.rows.push_back(
        {rows[i].memory, number(first), number(last), number(worst),
         fmt::format("{:.1e}", smallest),
         unreached.empty() ? "-" : fmt::format("{}", fmt::join(unreached, " ")),
         word(verdicts[i])});
    chart.series.push_back(loss_curve(rows[i], static_cast<int>(i)));
  }
  chart.from_zero = false;
  section.charts = {std::move(chart)};
}

/// The verdict in a text stands out.
std::string coloured(std::string text) {
  for (const auto& [word, style] : {std::pair("FAILS", "bad"), std::pair("holds", "good")}) {
    const auto at = text.find(word);
    if (at == text.npos) continue;
    return text.replace(at, 5, fmt::format("<b class=\"{}\">{}</b>", style, word));
  }
  return text;
}

}  // namespace

std::vector<ProofSection> proof_sections(const prove::Proofs& proofs) {
  std::vector<ProofSection> sections;
  const auto add = [&](Desideratum desideratum, const auto& rows) {
    if (!rows) return;
    const auto verdicts = *proofs.verdicts(desideratum);
    ProofSection section;
    for (const auto& row : prove::desiderata())
      if (row.desideratum == desideratum) section.title = row.title;
    section.conclusion = proofs.conclusion(desideratum);
    section.holds = prove::claims_hold(verdicts);
    fill(section, *rows, verdicts);
    sections.push_back(std::move(section));
  };
  add(Desideratum::Persistence, proofs.persistence);
  add(Desideratum::Equivariance, proofs.equivariance);
  add(Desideratum::Reduction, proofs.reduction);
  add(Desideratum::Supervision, proofs.supervision);
  return sections;
}

std::string proof_page(const prove::Proofs& proofs, const std::string& command_line) {
  using report::html;
  const auto sections = proof_sections(proofs);
  std::string page = report::html_begin("What a memory must be: four desiderata, executed");
  page += "<ul>";
  for (const auto& section : sections)
    page += fmt::format("<li>{}</li>", coloured(html(section.conclusion)));
  page += "</ul>\n";
  for (const auto& section : sections) {
    std::string title = section.title;
    title[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(title[0])));
    page += fmt::format("<h2>{}: {}</h2>\n<p class=\"soft\">{}</p>\n", html(title),
                        coloured(section.holds ? "holds" : "FAILS"), html(section.how));
    if (!section.charts.empty()) {
      std::vector<std::string> labels;
      for (const auto& series : section.charts.front().series) labels.push_back(series.label);
      page += report::html_legend(labels) + "<div class=\"charts\">\n";
      for (const auto& chart : section.charts) page += report::figure(chart);
      page += "</div>\n";
    }
    page += report::html_table(section.table);
  }
  return page + report::html_end(command_line);
}

}  // namespace npq::app
