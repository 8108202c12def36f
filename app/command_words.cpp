#include "app/command_words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <optional>

#include "npq/base/error.h"
#include "npq/base/names.h"

namespace npq::app {
namespace {

std::vector<const CLI::App*> commands_below(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App*) { return true; });
}

std::vector<std::string> names_of(const std::vector<const CLI::App*>& commands) {
  std::vector<std::string> names;
  for (const auto* command : commands) names.push_back(command->get_name());
  return names;
}

std::vector<std::string> option_words(const CLI::App& command) {
  std::vector<std::string> words;
  for (const auto* option : command.get_options())
    for (const auto& name : option->get_lnames()) words.push_back("--" + name);
  return words;
}

std::string advice(const std::string& word, const std::vector<std::string>& known) {
  const std::vector<std::string_view> views(known.begin(), known.end());
  const auto near = nearest_name(word, views);
  return near.empty() ? "" : fmt::format("did you mean '{}'? ", near);
}

bool is_whole(const std::string& text) {
  const auto digits = text.find_first_not_of("+-");
  return digits < 2 && text.find_first_not_of("0123456789", digits) == text.npos;
}

bool takes_value(const CLI::Option* option) {
  return option != nullptr && option->get_expected_max() > 0;
}

/// The number that all of `text` is.
std::optional<double> number_in(const std::string& text) {
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  return text.empty() || *end != 0 ? std::nullopt : std::optional(number);
}

bool is_path(const CLI::Option& option) {
  constexpr std::string_view kPaths[] = {"RUN", "FILE", "DIR"};
  const auto type = option.get_type_name();
  return std::ranges::any_of(kPaths, [&](auto path) { return type.starts_with(path); });
}

void check_switch(const CLI::Option& option, const std::string& text) {
  constexpr std::string_view kValues[] = {"true", "false", "on", "off", "yes", "no", "1", "0"};
  if (std::ranges::count(kValues, text) == 0)
    throw UsageError("{} is {}; it takes no value, or true or false", option.get_name(), text);
}

void check_number(const CLI::Option& option, const std::string& text) {
  const auto name = option.get_name();
  std::int64_t whole = 0;
  const auto* begin = text.data() + (text.starts_with('+') ? 1 : 0);
  if (is_whole(text) &&
      std::from_chars(begin, text.data() + text.size(), whole).ec == std::errc::result_out_of_range)
    throw UsageError("{} is {}, which is out of range; expected a number up to {}", name, text,
                     std::numeric_limits<std::int64_t>::max());
  if (name == "--seed" && is_whole(text) && whole < 0)
    throw UsageError("--seed is {}; expected 0 or more", text);
  const auto number = option.get_type_name() == "X" ? number_in(text) : std::nullopt;
  if (number && !std::isfinite(*number))
    throw UsageError("{} is {}; expected a finite number", name, text);
}

/// "Could not convert: --steps = abc"
std::string conversion_sentence(const std::string& what) {
  const auto name = what.find(": "), equals = what.find(" = ");
  if (name == what.npos || equals == what.npos) return what;
  const auto value = what.substr(equals + 3);
  const auto expected = is_whole(value)    ? "expected one that is in range"
                        : number_in(value) ? "expected a whole number"
                                           : "expected a number";
  return fmt::format("{} is '{}'; {}", what.substr(name + 2, equals - name - 2), value, expected);
}

/// "run is required", "A subcommand is required"
std::string missing_sentence(const std::string& what, const Called& called) {
  const auto name = what.substr(0, what.find(' '));
  const auto* option = called.command->get_option_no_throw(name);
  if (option == nullptr)
    return fmt::format("a command is missing after '{}'; expected one of: {}", called.name,
                       fmt::join(names_of(commands_below(*called.command)), ", "));
  if (option->get_positional())
    return fmt::format("{} is missing; expected {} {}", option->get_type_name(), called.name,
                       option->get_type_name());
  return fmt::format("{} is missing; expected {} {}", name, name, option->get_type_name());
}

/// "The following argument was not expected: dijkstra"
std::string extra_sentence(const std::string& what, const Called& called) {
  const auto begin = what.rfind(' ');  // the last of them stood first
  const auto word = begin == what.npos ? what : what.substr(begin + 1);
  const auto near =
      word.starts_with('-') ? advice("-" + word, option_words(*called.command)) : std::string();
  return fmt::format("'{}' is one word too many for {}; {}leave it out", word, called.name, near);
}

}  // namespace

Called called_command(const CLI::App& app, const std::vector<std::string>& args) {
  Called called{.command = &app};
  for (const auto& arg : args) {
    const auto below = commands_below(*called.command);
    const auto found = std::ranges::find(below, arg, [](const auto* c) { return c->get_name(); });
    if (found == below.end()) break;
    called = {.command = *found, .name = called.name + " " + arg};
  }
  return called;
}

void check_words(const CLI::App& app, const std::vector<std::string>& args) {
  const auto called = called_command(app, args);
  const auto below = names_of(commands_below(*called.command));
  const auto word = static_cast<std::size_t>(std::ranges::count(called.name, ' '));
  if (word < args.size() && !below.empty() && !args[word].starts_with('-')) {
    const std::vector<std::string_view> views(below.begin(), below.end());
    throw unknown_name("command", args[word], views);
  }
  for (std::size_t i = 0; i < args.size(); ++i) {
    const auto& arg = args[i];
    if (arg == "--") return;
    if (!arg.starts_with("--")) continue;
    const auto name = arg.substr(0, arg.find('='));
    const auto* option = called.command->get_option_no_throw(name);
    if (option == nullptr)
      throw UsageError("no option '{}'; {}'{} --help' lists the options", name,
                       advice(name, option_words(*called.command)), called.name);
    if (!takes_value(option) || name != arg || i + 1 == args.size()) continue;
    // The parser would take the next option for the value: a run in a folder named --quiet.
    if (args[++i].starts_with("--"))
      throw UsageError("{} needs a value: {}, but {} follows; '{} --help' says more", name,
                       option->get_type_name(), args[i], called.name);
  }
}

std::vector<std::string> with_empty_values(const CLI::App& app,
                                           const std::vector<std::string>& args) {
  const auto called = called_command(app, args);
  std::vector<std::string> words;
  for (const auto& arg : args) {
    const bool empty = arg.starts_with("--") && arg.find('=') == arg.size() - 1;
    const auto name = arg.substr(0, arg.size() - (empty ? 1 : 0));
    words.push_back(arg);
    if (!empty || !takes_value(called.command->get_option_no_throw(name))) continue;
    words.back() = name;
    words.emplace_back();
  }
  return words;
}

void check_values(const CLI::App& command) {
  for (const auto* option : command.get_options()) {
    for (const auto& text : option->results()) {
      if (option->get_expected_max() == 0)
        check_switch(*option, text);
      else if (!is_path(*option))
        check_number(*option, text);
      else if (text.empty())
        throw UsageError("{} is empty; expected a {}", option->get_name(), option->get_type_name());
    }
  }
}

std::string usage_sentence(const CLI::ParseError& error, const Called& called) {
  const std::string what = error.what();
  std::string sentence = what;
  if (dynamic_cast<const CLI::ConversionError*>(&error)) {
    sentence = conversion_sentence(what);
  } else if (dynamic_cast<const CLI::ArgumentMismatch*>(&error)) {
    const auto name = what.substr(0, what.find(':'));
    const auto* option = called.command->get_option_no_throw(name);
    if (option) sentence = fmt::format("{} needs a value: {}", name, option->get_type_name());
  } else if (dynamic_cast<const CLI::RequiredError*>(&error)) {
    sentence = missing_sentence(what, called);
  } else if (dynamic_cast<const CLI::ExtrasError*>(&error)) {
    sentence = extra_sentence(what, called);
  }
  return fmt::format("{}; '{} --help' says more", sentence, called.name);
}

}  // namespace npq::app
