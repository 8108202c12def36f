#pragma once
#include <cstddef>
#include <string_view>
#include <vector>

#include "npq/base/error.h"
#include "npq/base/names.h"

// Choices that a user makes by name. Only the table connects name and meaning.
namespace npq {

template <class Choice>
struct NamedChoice {
  std::string_view name;
  Choice choice;
};

/// The choice of that name; an unknown one is a UsageError that lists the known ones.
template <class Choice, std::size_t size>
Choice choice_named(std::string_view kind, const NamedChoice<Choice> (&table)[size],
                    std::string_view name) {
  std::vector<std::string_view> known;
  for (const auto& row : table) {
    if (row.name == name) return row.choice;
    known.push_back(row.name);
  }
  throw unknown_name(kind, name, known);
}

template <class Choice, std::size_t size>
std::string_view name_of_choice(const NamedChoice<Choice> (&table)[size], Choice choice) {
  for (const auto& row : table) {
    if (row.choice == choice) return row.name;
  }
  NPQ_ASSERT(!"every choice has a row in its table");
  return {};
}

}  // namespace npq
