#include "app/cli.h"

#include <fmt/format.h>
#include <signal.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>
#include <system_error>

#include "app/command_words.h"
#include "app/config_values.h"
#include "app/excess.h"
#include "app/output.h"
#include "npq/base/error.h"
#include "npq/base/files/json_file.h"
#include "npq/base/names.h"

namespace npq::app {
namespace {

/// The value of --config in `args`, taken out of them.
std::string take_config(std::vector<std::string>& args) {
  for (std::size_t i = 0; i < args.size(); ++i) {
    if (args[i].starts_with("--config=")) {
      std::string path = args[i].substr(9);
      args.erase(args.begin() + i);
      if (path.empty()) throw UsageError("--config is empty; expected a FILE");
      return path;
    }
    if (args[i] == "--config") {
      if (i + 1 == args.size())
        throw UsageError("--config needs a file: the JSON that --print-config prints");
      std::string path = args[i + 1];
      args.erase(args.begin() + i, args.begin() + i + 2);
      if (path.empty()) throw UsageError("--config is empty; expected a FILE");
      return path;
    }
  }
  return "";
}

/// Users may name a run folder instead of the file in it.
void check_is_file(const std::string& path) {
  std::error_code ignored;
  if (!std::filesystem::is_directory(path, ignored)) return;
  const auto inside = std::filesystem::path(path) / "config.json";
  throw UsageError("--config: '{}' is a folder; expected a file{}", path,
                   std::filesystem::exists(inside, ignored)
                       ? fmt::format(", such as '{}'", inside.string())
                       : " as --print-config prints it");
}

/// The names of the options in `args`.
std::set<std::string> names_in(const std::vector<std::string>& args) {
  std::set<std::string> names;
  for (const auto& arg : args)
    if (arg.starts_with("--")) names.insert(arg.substr(2, arg.find('=') - 2));
  return names;
}

constexpr std::uint64_t kLargestConfig = 1'000'000;

std::map<std::string, std::string> flags_of(const std::string& path) {
  std::string text;
  try {
    text = read_text(path, kLargestConfig);
  } catch (const Error& error) {
    throw UsageError("--config: {}", error.what());
  }
  // The file is read once more by npq-engine, if the command trains.
  if (text.empty() && !std::filesystem::is_regular_file(path))
    throw UsageError("--config: the pipe '{}' is empty; expected a file", path);
  return config_values(text, fmt::format("'{}'", path));
}

nlohmann::json typed(const std::string& text) {
  const auto parsed = json_or_null(text);
  return parsed.is_number() || parsed.is_boolean() ? parsed : nlohmann::json(text);
}

nlohmann::json config_of(const CLI::App& command) {
  nlohmann::json config = nlohmann::json::object();
  for (const auto* option : command.get_options()) {
    const auto& names = option->get_lnames();
    if (names.empty() || option->get_positional()) continue;
    const auto& name = names.front();
    if (name == "help" || name == "config" || name == "print-config" || name == "force") continue;
    if (option->get_expected_max() == 0)
      config[name] = option->count() > 0 && option->as<bool>();
    else if (option->count() > 0)
      config[name] = typed(option->results().back());
    else if (!option->get_default_str().empty())
      config[name] = typed(option->get_default_str());
  }
  return config;
}

}  // namespace

Cli::Cli(const std::string& description, const std::string& version)
    : app_(std::make_unique<CLI::App>(description, "npq")) {
  app_->set_version_flag("--version", version);
  app_->require_subcommand(1);
  app_->get_formatter()->column_width(34);
}
Cli::~Cli() = default;

CLI::App* Cli::group(std::string_view name) {
  constexpr std::pair<std::string_view, std::string_view> kGroups[] = {
      {"data", "CLRS-30: the 30 algorithms, their traces, files, official splits"},
      {"peptides", "Peptides-struct: molecules and the networks that learn their shape"},
      {"experiment", "many runs as one: plans, workers, progress, Slurm"},
      {"bench", "speed, measured on this machine"},
      {"import", "weights that other programs have trained"},
      {"list", "the names that other commands take: memories, processors, algorithms"},
  };
  for (auto* there : app_->get_subcommands({}))
    if (there->get_name() == name) return there;
  const auto row =
      std::ranges::find(kGroups, name, &std::pair<std::string_view, std::string_view>::first);
  NPQ_ASSERT(row != std::end(kGroups));
  auto* group = app_->add_subcommand(std::string(name), std::string(row->second));
  group->require_subcommand(1);
  return group;
}

CLI::App* Cli::command(CLI::App* parent, const std::string& name, const std::string& description,
                       const std::vector<std::string>& examples, Action action) {
  auto* command = parent->add_subcommand(name, description);
  std::string footer = "\nExamples:";
  for (const auto& example : examples) footer += "\n  " + example;
  command->footer(footer);
  command->option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  command->add_option("--config", config_, "options from a JSON file; the command line wins")
      ->type_name("FILE");
  command->add_flag("--print-config", print_config_, "print all options as JSON and stop");
  command->callback([this, command, action = std::move(action)] {
    chosen_ = command;
    action_ = action;
  });
  return command;
}

void Cli::print_config_with(CLI::App* command, std::function<nlohmann::json()> config) {
  configs_[command] = std::move(config);
}

void Cli::parse(std::vector<std::string> args) {
  const std::string file = take_config(args);
  if (!file.empty()) {
    check_is_file(file);
    config_file_ = {.path = file, .values = flags_of(file), .typed = names_in(args)};
    // After the subcommand words, before everything else: of two values the later one counts.
    auto at = args.begin();
    while (at != args.end() && !at->starts_with("-") && at - args.begin() < 2) ++at;
    std::vector<std::string> flags;
    for (const auto& [name, value] : config_file_.values)
      flags.push_back(fmt::format("--{}={}", name, value));
    args.insert(at, flags.begin(), flags.end());
  }
  offer_force(*app_);
  called_ = called_command(*app_, args);
  args = with_empty_values(*app_, args);
  check_words(*app_, args);
  std::reverse(args.begin(), args.end());  // CLI11 takes them from the back
  app_->parse(args);
  check_values(*chosen_);
  check_force_and_threads(*chosen_);
}

int Cli::act() const {
  if (!print_config_) return action_();
  const auto own = configs_.find(chosen_);
  const auto config = own == configs_.end() ? config_of(*chosen_) : own->second();
  fmt::print("{}\n", config.dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
  return 0;
}

int Cli::act_on(std::vector<std::string> args) {
  if (args.empty()) {
    fmt::print("{}", app_->help());
    return 2;
  }
  if (args.front() == "help") {  // as other programs have it: help train, help data list
    args.erase(args.begin());
    args.emplace_back("--help");
  }
  try {
    parse(args);
  } catch (const CLI::Success& asked) {  // --help, --version
    std::ostringstream text;
    app_->exit(asked, text);
    fmt::print("{}", text.str());
    return 0;
  } catch (const CLI::ParseError& error) {
    complain(usage_sentence(error, called_));
    return 2;
  }
  return act();
}

int Cli::run(int argc, char** argv) {
  signal(SIGPIPE, SIG_IGN);  // a closed pipe is an error of write(), not the end of the process
  try {
    open_missing_streams();
    const int code = act_on({argv + 1, argv + argc});
    flush_output();
    return code;
  } catch (const UsageError& error) {
    complain(error.what());
    return 2;
  } catch (const Error& error) {
    complain(error.what());
    return 1;
  } catch (const std::bad_alloc&) {
    complain(out_of_memory(chosen_));
    return 1;
  } catch (const nlohmann::json::exception& error) {
    complain(fmt::format("a JSON value is not what was expected: {}", json_reason(error.what())));
    return 1;
  } catch (const std::exception& error) {
    if (is_closed_pipe(error)) return kClosedPipe;
    complain(error_words(sentence_of(error), chosen_));
    return 1;
  }
}

namespace {

template <class Number>
std::vector<Number> list_of(const std::string& text, const std::string& flag) {
  std::vector<Number> numbers;
  std::stringstream stream(text);
  for (std::string item; std::getline(stream, item, ',');) {
    Number number{};
    const auto [end, error] = std::from_chars(item.data(), item.data() + item.size(), number);
    if (error == std::errc::result_out_of_range)
      throw UsageError("{} has {}, which is out of range; expected numbers up to {}", flag, item,
                       std::numeric_limits<Number>::max());
    if (error != std::errc() || end != item.data() + item.size())
      throw UsageError("{} got '{}'; expected numbers separated by commas", flag, text);
    numbers.push_back(number);
  }
  return numbers;
}

}  // namespace

std::vector<double> numbers_of(const std::string& text, const std::string& flag) {
  return list_of<double>(text, flag);
}
std::vector<int> integers_of(const std::string& text, const std::string& flag) {
  return list_of<int>(text, flag);
}
std::vector<std::uint64_t> seeds_in(const std::string& text) {
  std::vector<std::uint64_t> seeds;
  for (const auto seed : list_of<std::int64_t>(text, "--seeds")) {
    if (seed < 0) throw UsageError("--seeds has {}; expected numbers from 0", seed);
    seeds.push_back(static_cast<std::uint64_t>(seed));
  }
  return seeds;
}

}  // namespace npq::app
