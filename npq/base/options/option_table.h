#pragma once
#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "npq/base/names.h"
#include "npq/base/options/named_choice.h"
#include "npq/base/options/option_value.h"

// Options are declared once: a row of a table says what an option is called, what it means, which
// values it takes and where it is kept. The command line, --config, config.json, experiments, error
// messages and other languages all read the table.
namespace npq {

/// The texts that were given, by name of the option: on the command line or by --config.
using GivenOptions = std::map<std::string, std::string>;

/// An option as a user meets it.
struct OptionText {
  std::string name;  // "learning-rate", without dashes
  std::string help;
  std::string value;  // placeholder of its value in --help: "N", "X", "NAME"
  OptionKind kind = OptionKind::Text;
  std::vector<std::string> choices;  // empty: all that its kind and range allow
  Range range;
  std::string group;          // heading in --help; empty: the general one
  bool hidden = false;        // not in --help
  bool added_later = false;   // config.json of earlier runs does not have it
  std::string before;         // what earlier runs did, if later() says so
  bool kept_as_text = false;  // a number that config.json keeps in quotes
  bool may_change = false;    // a run that is resumed may be asked for another value
};

/// An option, and how it is read from and written to its field.
template <class Options>
struct Option : OptionText {
  std::function<std::string(const Options&)> text;
  std::function<void(Options&, std::string_view)> read;
  std::function<void(const Options&)> check;             // a UsageError for a value out of range
  std::function<bool(const Options&)> fits;              // whether it applies to these options
  std::function<std::string(const Options&)> unfitting;  // else: the error for giving it

  Option in(Range allowed) && {
    range = allowed;
    check = [name = name, allowed, text = text, number = number](const Options& options) {
      check_range(name, allowed, number(options), text(options));
    };
    return std::move(*this);
  }
  template <class Names>
  Option one_of(const Names& names) && {
    choices.assign(names.begin(), names.end());
    return std::move(*this);
  }
  Option not_listed() && {
    hidden = true;
    return std::move(*this);
  }
  /// `text` is what runs did before there was a choice. config.json leaves that out, so a new run
  /// that does the same has the same options as an earlier one.
  Option later(std::string text = "") && {
    added_later = true;
    before = std::move(text);
    return std::move(*this);
  }
  Option changeable() && {
    may_change = true;
    return std::move(*this);
  }

  std::function<double(const Options&)> number;  // of a whole or real number
};

/// Names a member for the functions below: NPQ_FIELD(model.hidden).
#define NPQ_FIELD(member) \
  [](auto& options) -> auto& { return options.member; }  // NOLINT(bugprone-macro-parentheses)

/// A number, a text, a switch or a list: what the field is.
template <class Options, class Field>
Option<Options> plain_option(const char* name, const char* help, const char* value, Field field) {
  using Value = std::remove_cvref_t<decltype(field(std::declval<Options&>()))>;
  Option<Options> option;
  option.name = name;
  option.help = help;
  option.value = value;
  option.kind = option_kind<Value>();
  option.text = [field](const Options& options) { return option_text(field(options)); };
  option.read = [field, name = option.name](Options& options, std::string_view text) {
    read_option(name, text, field(options));
  };
  if constexpr (std::is_arithmetic_v<Value>)
    option.number = [field](const Options& options) { return static_cast<double>(field(options)); };
  return option;
}

/// One of the names of `table`.
template <class Options, class Choice, std::size_t size, class Field>
Option<Options> choice_option(const char* name, const char* help,
                              const NamedChoice<Choice> (&table)[size], Field field) {
  Option<Options> option;
  option.name = name;
  option.help = help;
  option.value = "NAME";
  for (const auto& row : table) option.choices.emplace_back(row.name);
  option.text = [&table, field](const Options& options) {
    return std::string(name_of_choice(table, field(options)));
  };
  option.read = [&table, field, kind = "--" + option.name](Options& options,
                                                           std::string_view text) {
    field(options) = choice_named(kind, table, text);
  };
  return option;
}

template <class Options>
class OptionTable {
 public:
  explicit OptionTable(std::vector<Option<Options>> rows) : rows_(std::move(rows)) {}

  const std::vector<Option<Options>>& rows() const { return rows_; }
  auto begin() const { return rows_.begin(); }
  auto end() const { return rows_.end(); }

  /// The row of that name; an unknown one is a UsageError with the nearest.
  const Option<Options>& row(std::string_view name) const {
    std::vector<std::string_view> known;
    for (const auto& option : rows_) {
      if (option.name == name) return option;
      known.push_back(option.name);
    }
    throw unknown_name("option", name, known);
  }

  bool fits(const Option<Options>& option, const Options& options) const {
    return !option.fits || option.fits(options);
  }

  /// Sets one option from its text. One that does not apply to the others is a UsageError.
  void set(Options& options, std::string_view name, std::string_view text) const {
    const auto& option = row(name);
    if (!fits(option, options)) throw UsageError("{}", option.unfitting(options));
    option.read(options, text);
    if (option.check) option.check(options);
  }

  /// The names of what a resumed run may be asked for anew.
  std::vector<std::string> changeable() const {
    std::vector<std::string> names;
    for (const auto& option : rows_)
      if (option.may_change) names.push_back(option.name);
    return names;
  }
  /// Sets what is given of these; anything else is a UsageError.
  void change(Options& options, const GivenOptions& given) const {
    for (const auto& [name, text] : given) {
      if (!row(name).may_change)
        throw UsageError("--{} cannot be changed: a resumed run goes on with its own", name);
      set(options, name, text);
    }
  }

  /// Every value against its range.
  void check(const Options& options) const {
    for (const auto& option : rows_)
      if (option.check && fits(option, options)) option.check(options);
  }

  /// Name and text of all options that apply; set() takes them back.
  std::vector<std::pair<std::string, std::string>> values(const Options& options) const {
    std::vector<std::pair<std::string, std::string>> all;
    for (const auto& option : rows_)
      if (fits(option, options)) all.emplace_back(option.name, option.text(options));
    return all;
  }

 private:
  std::vector<Option<Options>> rows_;
};

/// The rows of a table of options that are a member of others.
template <class Outer, class Inner, class Field>
std::vector<Option<Outer>> options_of_member(const OptionTable<Inner>& table, Field field) {
  std::vector<Option<Outer>> rows;
  for (const auto& inner : table) {
    Option<Outer> outer;
    static_cast<OptionText&>(outer) = inner;
    outer.text = [field, &inner](const Outer& options) { return inner.text(field(options)); };
    outer.read = [field, &inner](Outer& options, std::string_view text) {
      inner.read(field(options), text);
    };
    if (inner.check)
      outer.check = [field, &inner](const Outer& options) { inner.check(field(options)); };
    if (inner.fits) {
      outer.fits = [field, &inner](const Outer& options) { return inner.fits(field(options)); };
      outer.unfitting = [field, &inner](const Outer& options) {
        return inner.unfitting(field(options));
      };
    }
    rows.push_back(std::move(outer));
  }
  return rows;
}

}  // namespace npq
