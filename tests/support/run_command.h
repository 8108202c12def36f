#pragma once
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>
#include <string>
#include <vector>

#include "tests/support/program.h"
#include "tests/support/temporary_folder.h"

namespace npq::test {

struct CommandAnswer {
  int exit_code = -1;    // 128 + signal for a process that was killed
  std::string out, err;  // all that it printed
};

/// Runs a program with these arguments, without a shell and without input, and waits for its end.
/// `prepare` is called in the new process just before the program begins: for another place of its
/// output, fewer rights, a variable.
inline CommandAnswer run_program(const std::string& program, std::vector<std::string> args,
                                 const std::function<void()>& prepare = {}) {
  const test::TemporaryFolder folder;  // files, not pipes: those would fill up
  const auto out = (folder / "out").string(), err = (folder / "err").string();
  args.insert(args.begin(), program);
  std::vector<char*> argv;
  for (auto& arg : args) argv.push_back(arg.data());
  argv.push_back(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    const int in = open("/dev/null", O_RDONLY);
    const int to_out = open(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
    const int to_err = open(err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
    dup2(in, STDIN_FILENO);
    dup2(to_out, STDOUT_FILENO);
    dup2(to_err, STDERR_FILENO);
    if (prepare) prepare();
    execv(argv[0], argv.data());
    _exit(127);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), test::file_content(out),
          test::file_content(err)};
}

/// The npq that was built beside the tests: run_npq({"data", "list"}).
inline CommandAnswer run_npq(std::vector<std::string> args,
                             const std::function<void()>& prepare = {}) {
  return run_program(npq_program(), std::move(args), prepare);
}

}  // namespace npq::test
