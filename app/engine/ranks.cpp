#include "app/engine/ranks.h"

#include <ATen/Version.h>
#include <fmt/format.h>
#include <torch/version.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "app/about.h"
#include "app/engine/local_ranks.h"
#include "app/output.h"
#include "npq/base/error.h"
#include "npq/train/ranks/address.h"
#include "npq/train/ranks/membership.h"

namespace npq::app {
namespace {

train::Membership from_environment() {
  return train::membership_of([](const char* name) -> std::string {
    const char* value = std::getenv(name);
    return value == nullptr ? "" : value;
  });
}

void check(const RankOptions& options) {
  if (options.count < 1) throw UsageError("--ranks is {}; expected at least 1", options.count);
  if (options.timeout < 1)
    throw UsageError("--rank-timeout is {}; expected at least 1 second", options.timeout);
  if (options.port < 0 || options.port > 65535)
    throw UsageError("--port is {}; expected a number up to 65535", options.port);
}

train::Membership membership_of(const RankOptions& options) {
  check(options);
  auto membership = from_environment();
  if (options.count > 1) {
    if (membership.count > 1)
      throw UsageError(
          "--ranks {} would start processes in each of the {} ranks that torchrun or srun have "
          "started; leave one of the two out",
          options.count, membership.count);
    membership = {.count = options.count, .local = options.count, .port = train::free_port()};
  }
  if (options.port > 0) membership.port = options.port;
  membership.interface = options.interface;
  membership.timeout = std::chrono::seconds(options.timeout);
  return membership;
}

int work_as(const train::Membership& membership, const RankWork& work, std::atomic<bool>& told) {
  // One of them prints.
  if (membership.rank > 0 && std::freopen("/dev/null", "w", stdout) == nullptr)
    throw Error("cannot open /dev/null");
  std::shared_ptr<train::Ranks> ranks;
  try {
    ranks = std::make_shared<train::Ranks>(membership);
    return work(ranks);
  } catch (const train::SaidByFirst&) {
    return 1;
  } catch (const Error& error) {
    // Said before the connections are closed, for which rank 0 waits.
    const bool said = dynamic_cast<const train::RankLost*>(&error) != nullptr;
    const bool first = ranks ? ranks->ends_with(error.what()) : !said;
    if (first && !told.exchange(true)) complain(error.what());
    return dynamic_cast<const UsageError*>(&error) != nullptr ? 2 : 1;
  }
}

}  // namespace

void bind_ranks(CLI::App* command, RankOptions& options) {
  command
      ->add_option("--ranks", options.count,
                   "processes on this machine that share the work; on several machines, start the "
                   "command with srun or torchrun")
      ->type_name("R")
      ->capture_default_str()
      ->group("Ranks");
  command
      ->add_option("--interface", options.interface,
                   "network between ranks: an interface or an own address (default: the one that "
                   "reaches rank 0)")
      ->type_name("NAME")
      ->group("Ranks");
  command
      ->add_option("--port", options.port,
                   "where rank 0 listens, the same for all (default: MASTER_PORT + 1, or from the "
                   "number of the Slurm job)")
      ->type_name("P")
      ->group("Ranks");
  command
      ->add_option("--rank-timeout", options.timeout,
                   "seconds that ranks wait for one that does not answer")
      ->type_name("S")
      ->capture_default_str()
      ->group("Ranks");
}

nlohmann::json own_program() {
  auto own = about(/*threads=*/0);
  own.erase("threads");
  own.erase("cpu");
  // Its kernels choose their instruction set by themselves: "CPU capability usage: AVX2".
  const auto config = at::show_config();
  const auto begin = std::min(config.find("CPU capability"), config.size());
  own["libtorch"] =
      fmt::format("{}, {}", TORCH_VERSION, config.substr(begin, config.find('\n', begin) - begin));
  return own;
}

int ranks_here(const RankOptions& options) {
  return options.count > 1 ? options.count : from_environment().local;
}

int with_ranks(const RankOptions& options, const RankWork& work) {
  const auto membership = membership_of(options);
  std::atomic<bool> nobody_else = false;
  if (options.count == 1) return work_as(membership, work, nobody_else);
  return as_local_ranks(options.count, [&](int rank, std::atomic<bool>& told) {
    auto own = membership;
    own.rank = rank;
    return work_as(own, work, told);
  });
}

}  // namespace npq::app
