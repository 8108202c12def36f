// npq prove: the paper's desiderata, measured on every memory.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "app/engine/engine.h"
#include "app/engine/prove_page.h"
#include "app/table.h"
#include "app/terminal.h"
#include "npq/base/error.h"
#include "npq/base/files/atomic_file.h"
#include "npq/prove/proofs.h"

namespace npq::app {
namespace {

using prove::Desideratum;
using prove::Proofs;

void write_page(const std::string& path, const std::string& page) {
  const auto folder = std::filesystem::path(path).parent_path();
  if (!folder.empty()) make_folder(folder);
  write_file(path, page);
}

Proofs measure(const ProveCommand& command, int threads) {
  const auto& options = command.options;
  const auto rows = options.rows();
  Proofs proofs;
  for (const auto& [desideratum, name, title] : prove::desiderata()) {
    if (!options.asks_for(desideratum)) continue;
    std::optional<ProgressBar> bar;
    const auto progress = [&, name = name](std::int64_t done, std::int64_t total,
                                           std::string_view note) {
      if (!bar) bar.emplace(std::string(name), total, command.quiet);
      bar->update(done, note);
    };
    switch (desideratum) {
      case Desideratum::Persistence:
        proofs.persistence = prove::prove_persistence(rows, threads, progress);
        break;
      case Desideratum::Equivariance:
        proofs.equivariance = prove::prove_equivariance(rows, threads, progress);
        break;
      case Desideratum::Reduction:
        proofs.reduction = prove::prove_reduction(rows, options.sequences, threads, progress);
        break;
      case Desideratum::Supervision:
        proofs.supervision = prove::prove_supervision(rows, options, threads, progress);
        break;
    }
  }
  return proofs;
}

void print_table(const report::Table& shown) {
  std::vector<std::vector<std::string>> rows(1);
  std::vector<int> right;
  for (std::size_t c = 0; c < shown.columns.size(); ++c) {
    rows[0].push_back(shown.columns[c].name);
    if (shown.columns[c].number) right.push_back(static_cast<int>(c));
  }
  rows.insert(rows.end(), shown.rows.begin(), shown.rows.end());
  fmt::print("{}\n", table(rows, right));
}

void print_proofs(const Proofs& proofs) {
  for (const auto& section : proof_sections(proofs)) {
    fmt::print("{}\n{}\n", paint(section.title, Colour::Bold), section.how);
    print_table(section.table);
  }
  for (const auto& row : prove::desiderata())
    if (const auto verdicts = proofs.verdicts(row.desideratum))
      fmt::print("{}\n", paint(proofs.conclusion(row.desideratum),
                               prove::claims_hold(*verdicts) ? Colour::Green : Colour::Red));
}

}  // namespace

int run_prove(const ProveCommand& command) {
  const int threads = use_threads(command.threads);
  const auto proofs = measure(command, threads);
  if (!command.out.empty()) write_page(command.out, proof_page(proofs, command.command_line));
  if (command.json) {
    fmt::print("{}\n", prove::to_json(proofs).dump());
  } else {
    if (!command.out.empty()) fmt::print("{}\n", command.out);
    print_proofs(proofs);
  }
  return proofs.hold() ? 0 : 1;
}

}  // namespace npq::app
