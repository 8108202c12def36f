#pragma once
#include <string>

#include "tests/support/run_command.h"

namespace npq::test {

/// What a browser has made of a page.
struct Visit {
  std::string title;    // after its scripts ran
  std::string console;  // what it wrote to the console: errors above all
};

/// Opens a page in real headless Chromium, `width` pixels wide. `script` runs in it at the end, as
/// a visitor would: it may press keys, read values and set document.title.
inline Visit visit(const std::string& page, int width, const std::string& script = "") {
  const test::TemporaryFolder folder;
  auto content = page;
  const auto end = content.rfind("</body>");
  content.insert(end, "<script>" + script + "</script>");
  test::put_file(folder / "page.html", content);
  const auto answer = run_program(
      "/usr/bin/chromium",
      {"--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
       "--hide-scrollbars", "--user-data-dir=" + (folder / "profile").string(),
       "--window-size=" + std::to_string(width) + ",900", "--virtual-time-budget=2000",
       "--enable-logging=stderr", "--dump-dom", "file://" + (folder / "page.html").string()});
  const auto title = answer.out.find("<title>") + 7;
  Visit result{answer.out.substr(title, answer.out.find("</title>") - title), ""};
  std::size_t begin = 0;
  while (begin < answer.err.size()) {
    const auto stop = std::min(answer.err.find('\n', begin), answer.err.size());
    const auto line = answer.err.substr(begin, stop - begin);
    if (line.find(":CONSOLE") != std::string::npos) result.console += line + "\n";
    begin = stop + 1;
  }
  return result;
}

}  // namespace npq::test
