#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "app/command_words.h"

namespace CLI {
class App;  // <CLI/CLI.hpp> takes seconds to compile: included where flags are bound, not here
}

// What all subcommands share: help with examples, --config, --print-config, exit codes.
namespace npq::app {

/// What the command line asks for; set by the subcommand that was named. Returns the exit code.
using Action = std::function<int()>;

/// The content of --config, and the options typed on the command line.
struct ConfigFile {
  std::string path;                           // empty: none
  std::map<std::string, std::string> values;  // by option name
  std::set<std::string> typed;                // names on the command line itself

  /// The value is only in the file.
  bool decides(const std::string& name) const {
    return values.contains(name) && !typed.contains(name);
  }
};

class Cli {
 public:
  Cli(const std::string& description, const std::string& version);
  ~Cli();

  /// A subcommand of `parent`. `examples` are whole command lines, shown under --help.
  CLI::App* command(CLI::App* parent, const std::string& name, const std::string& description,
                    const std::vector<std::string>& examples, Action action);
  /// What --print-config prints for a command that has more options than flags.
  void print_config_with(CLI::App* command, std::function<nlohmann::json()> config);
  /// A group of subcommands ("data"): the same one for the same name.
  CLI::App* group(std::string_view name);
  CLI::App* root() { return app_.get(); }
  const ConfigFile& config_file() const { return config_file_; }

  /// Parses and acts. 0 done, 1 failed, 2 wrong usage, 141 closed pipe; every error is one
  /// sentence on standard error.
  int run(int argc, char** argv);

 private:
  void parse(std::vector<std::string> args);
  int act() const;
  int act_on(std::vector<std::string> args);

  std::unique_ptr<CLI::App> app_;
  Action action_;
  CLI::App* chosen_ = nullptr;
  Called called_;
  std::map<const CLI::App*, std::function<nlohmann::json()>> configs_;
  bool print_config_ = false;
  ConfigFile config_file_;
  std::string config_;  // only so that CLI11 knows the option; expand_config reads it first
};

/// "0.1,0.2" as numbers; `flag` names the option in the error.
std::vector<double> numbers_of(const std::string& text, const std::string& flag);
std::vector<int> integers_of(const std::string& text, const std::string& flag);
/// The numbers of --seeds, each like --seed.
std::vector<std::uint64_t> seeds_in(const std::string& text);

}  // namespace npq::app
