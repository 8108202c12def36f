#pragma once
#include <chrono>
#include <functional>
#include <string>
#include <string_view>

namespace npq::train {

/// Which of the processes that train one run this one is, and where they meet.
struct Membership {
  int rank = 0, count = 1;
  int local = 1;                   // of them on this machine, as far as the environment says it
  std::string host = "127.0.0.1";  // of rank 0
  int port = 0;                    // where rank 0 listens
  std::string interface;           // a network interface or an address of this machine; empty: the
                                   // one that reaches rank 0
  std::chrono::seconds timeout{60};  // that ranks wait for each other
};

/// The value of a variable; empty: there is none.
using Environment = std::function<std::string(const char* name)>;

/// What torchrun says (RANK, WORLD_SIZE, LOCAL_WORLD_SIZE, MASTER_ADDR, MASTER_PORT), else srun
/// (SLURM_PROCID, SLURM_STEP_NUM_TASKS, SLURM_STEP_NODELIST), else that this process is alone.
/// A part of it, or what contradicts itself, is an Error.
///
/// At MASTER_PORT torchrun has a store of its own, so ours is one port further. Slurm's jobs and
/// steps have numbers, from which the port follows. Only steps count: the shell of a job has
/// variables of Slurm, too, but nobody started it several times.
Membership membership_of(const Environment& environment);

/// The first machine of a list as Slurm writes it: "node[03-07,9],other" begins with node03.
std::string first_host(std::string_view list);

}  // namespace npq::train
