#pragma once
#include <arpa/inet.h>
#include <netinet/in.h>
#include <pwd.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include <stdexcept>
#include <string>
#include <thread>

#include "tests/support/killable.h"

namespace npq::test {

/// A whole Slurm on this machine alone: slurmctld and slurmd of our own on free ports, without
/// munge, gone with the object. While it lives, programs that the test starts talk to it.
class LoopbackSlurm {
 public:
  LoopbackSlurm() {
    for (const auto* name : {"state", "spool"}) std::filesystem::create_directory(folder_ / name);
    char host[256] = {};
    gethostname(host, sizeof host - 1);
    const std::string name = std::string(host).substr(0, std::string(host).find('.'));
    const std::string user = getpwuid(getuid())->pw_name, here = folder_.path().string();
    test::put_file(
        folder_ / "slurm.conf",
        "ClusterName=npq\nSlurmctldHost=" + name + "(127.0.0.1)\nSlurmctldPort=" + free_port() +
            "\nSlurmdPort=" + free_port() +
            "\nAuthType=auth/none\nCredType=cred/none\nSlurmUser=" + user + "\nSlurmdUser=" + user +
            "\nStateSaveLocation=" + here + "/state\nSlurmdSpoolDir=" + here +
            "/spool\nSlurmctldPidFile=" + here + "/slurmctld.pid\nSlurmdPidFile=" + here +
            "/slurmd.pid\nProctrackType=proctrack/linuxproc\nTaskPlugin=task/none\n"
            "SelectType=select/cons_tres\nSelectTypeParameters=CR_Core\nMpiDefault=none\n"
            "ReturnToService=2\nSchedulerParameters=sched_interval=1,sched_min_interval=0\n"
            "NodeName=" +
            name +
            " NodeAddr=127.0.0.1 CPUs=" + std::to_string(std::thread::hardware_concurrency()) +
            " State=UNKNOWN\nPartitionName=local Nodes=ALL Default=YES MaxTime=INFINITE "
            "State=UP\n");
    setenv("SLURM_CONF", (folder_ / "slurm.conf").c_str(), 1);
    controller_ = std::make_unique<Process>("/usr/sbin/slurmctld", std::vector<std::string>{"-D"});
    node_ = std::make_unique<Process>("/usr/sbin/slurmd", std::vector<std::string>{"-D"});
    while (ask("sinfo", {"--noheader", "--format=%t"}).find("idle") == std::string::npos) {
      check();
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
  }
  ~LoopbackSlurm() {
    for (auto* process : {node_.get(), controller_.get()}) {
      process->send(SIGTERM);
      process->wait();
    }
    unsetenv("SLURM_CONF");
  }

  /// What one of Slurm's own programs prints.
  std::string ask(const std::string& program, std::vector<std::string> args) const {
    return run_program("/usr/bin/" + program, std::move(args)).out;
  }
  /// Returns once no job is left.
  void wait_until_idle() {
    while (!ask("squeue", {"--noheader"}).empty()) {
      check();
      std::this_thread::sleep_for(std::chrono::milliseconds(200));
    }
  }

 private:
  void check() {
    for (auto* process : {controller_.get(), node_.get()})
      if (!process->running())
        throw std::runtime_error("Slurm has ended (is slurm-wlm installed?): " +
                                 process->printed());
  }
  static std::string free_port() {
    const int open = socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    bind(open, reinterpret_cast<sockaddr*>(&address), size);
    getsockname(open, reinterpret_cast<sockaddr*>(&address), &size);
    close(open);
    return std::to_string(ntohs(address.sin_port));
  }

  test::TemporaryFolder folder_;
  std::unique_ptr<Process> controller_, node_;
};

}  // namespace npq::test
