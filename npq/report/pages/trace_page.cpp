#include "npq/report/pages/trace_page.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "npq/report/pages/embedded.h"
#include "npq/report/pages/page.h"
#include "npq/report/pages/text.h"

namespace npq::report {
namespace {

/// JSON inside a script element: nothing in it may look like the element's end.
std::string script_data(const nlohmann::json& json) {
  std::string text;
  for (const char c : json.dump(-1, ' ', /*ensure_ascii=*/true)) {
    if (c == '<')
      text += "\\u003c";
    else
      text += c;
  }
  return text;
}

constexpr std::string_view kBody = R"html(
<p id="verdict"></p>
<div class="controls">
  <button id="back" title="one step back (left arrow)" aria-label="one step back">◀</button>
  <button id="play" title="play or stop (space)">play</button>
  <button id="next" title="one step on (right arrow)" aria-label="one step on">▶</button>
  <input id="time" type="range" min="0" value="0" aria-label="step">
  <output id="now"></output>
</div>
<div class="panels">
  <section class="panel" id="graph-panel"><h2>Graph after this step</h2><label id="arrows-label">arrows <select id="arrows"></select></label><div id="graph"></div>
    <p class="soft" id="graph-note"></p></section>
  <section class="panel" id="hints-panel"><h2>Hints after this step</h2><div class="scroll" id="hints"></div>
    <p class="soft">What the network says of each node; orange where the algorithm differs, its value in brackets.</p></section>
  <section class="panel" id="truth-panel"><h2>The true queue before this step</h2><div id="truth"></div><p class="soft" id="agreement"></p></section>
  <section class="panel" id="memory-panel"><h2>Memory after this step</h2><div class="scroll" id="slots" tabindex="0" role="group" aria-label="slots"></div>
    <p class="read" id="slots-read" aria-live="polite"></p><div id="health"></div></section>
  <section class="panel" id="shares-panel"><h2>Attention in this step</h2><label>show <select id="shares-kind"></select></label>
    <div id="shares" tabindex="0" role="group" aria-label="picture of numbers"></div><p class="read" id="shares-read" aria-live="polite"></p>
    <p class="soft" id="shares-note"></p></section>
  <section class="panel" id="answer-panel"><h2>The answer after the last step</h2><div id="answer"></div>
    <p class="soft">Green as the algorithm; orange where it differs, its value in brackets.</p></section>
  <section class="panel" id="messages-panel"><h2>Messages from the memory in this step</h2><div id="messages"></div>
    <p class="soft">The length of what each node received.</p></section>
</div>
)html";

}  // namespace

std::string trace_page(const nlohmann::json& trace) {
  const auto title = html(trace.at("title").get<std::string>());
  std::string about;
  for (const auto& line : trace.at("about"))
    about += fmt::format("<p class=\"soft\">{}</p>\n", html(line.get<std::string>()));
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<title>{0}</title>\n<style>{7}{1}{2}</style>\n</head>\n<body>\n<main>\n<h1>{0}</h1>\n{3}{4}"
      "</main>\n<script id=\"trace\" type=\"application/json\">{5}</script>\n<script>{6}</script>\n"
      "</body>\n</html>\n",
      title, page_style(), trace_style(), about, kBody, script_data(trace), trace_script(),
      bar_style());
}

}  // namespace npq::report
