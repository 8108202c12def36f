#pragma once
#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "app/cli.h"
#include "npq/train/ranks/ranks.h"

// One command as several processes.
namespace npq::app {

struct RankOptions {
  int count = 1;          // processes to start on this machine
  std::string interface;  // of the network between machines
  int port = 0;           // where rank 0 listens; 0: see membership.h
  int timeout = 60;       // seconds
};

/// Flags --ranks, --interface, --port, --rank-timeout.
void bind_ranks(CLI::App* command, RankOptions& options);

/// How many ranks share this machine: threads are divided among them.
int ranks_here(const RankOptions& options);

/// What of program and machine decides the bits of a result, for train::check_alike.
nlohmann::json own_program();

using RankWork = std::function<int(const std::shared_ptr<train::Ranks>&)>;

/// Calls `work` alone, as one of several ranks that torchrun or srun have started, or as all of
/// --ranks: these are processes of their own, and this one passes signals on to them and waits. To
/// be called before anything has started a thread. An Error is told by one of the ranks. Returns
/// the exit code.
int with_ranks(const RankOptions& options, const RankWork& work);

}  // namespace npq::app
