#pragma once
#include <string>
#include <vector>

#include "npq/report/tables/tables.h"

// Runs on peptides: their scores are mean absolute errors, and the source of the molecules decides
// what they may be compared with.
namespace npq::report {

/// One row per model: errors, size, time.
Table peptides_table(const std::vector<Group>& groups);

/// The part of the page on one set of molecules.
struct PeptidesReport {
  std::string title;  // says where the molecules are from
  std::string note;
  /// As in the paper: a row per processor, a column per method. The paper's numbers stand beside
  /// ours only if the molecules are the published ones.
  Table errors;
  /// Each model with a memory against the same network that lacks only the memory.
  Table twins;
  std::vector<const Group*> groups;
};
std::vector<PeptidesReport> peptides_reports(const std::vector<Group>& groups);

/// The model on the same molecules that has everything but the memory: the baseline for layer full,
/// which is plain with a memory inside; layer ref without memory for layer ref. nullptr if there
/// is none.
const Group* twin_of(const std::vector<const Group*>& groups, const Group& of);

/// Those on peptides, or all others.
std::vector<Group> only_peptides(const std::vector<Group>& groups, bool peptides);

}  // namespace npq::report
