#include "npq/report/pages/trace_page.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "tests/support/browser.h"

namespace npq::report {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

json small_trace() {
  return {
      {"title", "a <title>"},         {"about", {"run </script><b>"}}, {"nodes", 1},
      {"probes", json::array()},      {"inputs", json::object()},      {"steps", {json::object()}},
      {"run", "</script><img src=x>"}};
}

/// A queue of slots that is emptied at every step: nodes find it empty at step 0, and what the step
/// before pushed at the others.
json emptied_queue(int nodes, int steps, int k) {
  std::vector<int> written(steps, -1);
  written[k] = k;
  std::vector<double> row(steps, 0), strength(steps, 0);
  if (k > 0) row[k - 1] = 0.25;
  strength[k] = 1;
  return {{"health", {{"alive", 1}, {"drained", k > 0 ? json(1) : json()}}},
          {"message", std::vector<double>(nodes, 0.5)},
          {"seen", {{"attention", std::vector(nodes, row)}, {"pushed_strength", {0.75}}}},
          {"after", {{"written", written}, {"strength", strength}}}};
}

/// Dijkstra on a path, as look_closely writes it: step k takes node k and puts in the next.
json path_trace(int nodes) {
  auto trace = small_trace();
  trace["nodes"] = nodes;
  trace["key"] = "d";
  trace["score"] = 0.75;
  trace["agreement"] = {{"compared", 0}, {"correlated", 0}, {"top", {}}, {"correlation", {}}};
  const auto probe = [](const char* name, const char* stage, const char* type) {
    return json{{"name", name}, {"stage", stage}, {"location", "node"}, {"type", type}};
  };
  trace["probes"] = {probe("pi", "output", "pointer"), probe("pi_h", "hint", "pointer"),
                     probe("d", "hint", "scalar")};
  std::vector<int> pi(nodes), said(nodes);
  for (int i = 0; i < nodes; ++i) pi[i] = said[i] = std::max(0, i - 1);
  said[1] = 1;
  trace["outputs"]["pi"] = {{"predicted", said}, {"true", pi}};
  const std::vector<double> far(nodes, -0.123456);
  trace["hints"]["pi_h"] = {{"predicted", std::vector(nodes, said)},
                            {"true", std::vector(nodes, pi)}};
  trace["hints"]["d"] = {{"predicted", std::vector(nodes, far)},
                         {"true", std::vector(nodes, std::vector<double>(nodes, 0.654321))}};
  trace["steps"] = json::array();
  for (int k = 0; k < nodes; ++k) {
    json step = {{"queue", {k}}, {"entered", {k}}, {"keys", {0.5 * k}}};
    step["queue_after"] = k + 1 < nodes ? json{k + 1} : json::array();
    step["memory"] = emptied_queue(nodes, nodes, k);
    trace["steps"].push_back(step);
  }
  return trace;
}

/// What a visitor finds; `script` is an expression.
std::string found(const json& trace, int width, const std::string& script) {
  const auto visited = test::visit(
      trace_page(trace), width,
      "const text = id => document.getElementById(id).innerText.replace(/\\s+/g, ' ').trim();\n"
      "const filled = () => document.querySelectorAll('.node.in').length;\n"
      "document.title = [" +
          script + "].join(' | ');");
  EXPECT_EQ(visited.console, "");
  return visited.title;
}

TEST(TracePage, NothingInTheDataEndsItsElement) {
  const auto page = trace_page(small_trace());
  EXPECT_THAT(page, Not(HasSubstr("<img")));
  EXPECT_THAT(page, HasSubstr("a &lt;title&gt;"));
  EXPECT_THAT(page, HasSubstr("\\u003c/script>"));
}

TEST(TracePage, NeedsNothingElse) {
  const auto page = trace_page(small_trace());
  for (const char* outside : {"src=\"", "href=", "@import", "url(", "fetch("})
    EXPECT_THAT(page, Not(HasSubstr(outside))) << outside;
}

TEST(TracePage, OpensWhereTheMemoryHoldsSomethingAndSaysWhereItDoesNot) {
  EXPECT_EQ(found(path_trace(4), 1200,
                  "text('now'), text('truth'), filled(), (show(0), text('shares')), "
                  "(show(3), text('truth')), filled()"),
            "step 1 of 3 | 1 d 0.50 | 1 | Nothing is stored yet: all zero. | 3 d 1.50 | 0");
}

TEST(TracePage, TheAnswerIsJudged) {
  EXPECT_EQ(found(path_trace(4), 1200, "text('verdict'), text('answer')"),
            "The answer after the last step: pi is right for 3 of 4 nodes. Score of this sample: "
            "75%. | pi: node → the node it points to 0 → 0 1 → 1 (0) 2 → 1 3 → 2");
}

TEST(TracePage, SaysWhyAttentionIsNotComparedWithTheTrueQueue) {
  EXPECT_THAT(found(path_trace(4), 1200, "text('agreement')"),
              HasSubstr("emptied in every step, so there are never two elements to choose from"));
  auto without = path_trace(4);
  for (auto& step : without["steps"]) step.erase("memory");
  EXPECT_THAT(found(without, 1200, "text('agreement')"), HasSubstr("There is no memory"));
  auto no_queue = path_trace(4);
  no_queue.erase("agreement");
  for (auto& step : no_queue["steps"])
    for (const char* key : {"queue", "queue_after", "entered", "keys"}) step.erase(key);
  EXPECT_THAT(found(no_queue, 1200, "text('graph-note')"),
              AllOf(HasSubstr("Green arrow"), Not(HasSubstr("true queue"))));
}

TEST(TracePage, CellsAreReadByTapAndByKeyAndOneNumberIsPrinted) {
  EXPECT_EQ(found(path_trace(4), 400,
                  "(document.querySelector('[data-at=\"2,0\"]').click(), text('shares-read')), "
                  "(document.getElementById('shares').dispatchEvent(new KeyboardEvent('keydown', "
                  "{key: 'ArrowRight', bubbles: true, cancelable: true})), text('shares-read')), "
                  "text('now'), (document.getElementById('shares-kind').value = "
                  "'pushed_strength', show(1), text('shares'))"),
            "node 2, slot 0: 0.25 | node 2, slot 1: 0 | step 1 of 3 | 0.75");
}

/// A trace of 16 nodes with every edge for which `is_there` holds.
json weighted_trace(bool (*is_there)(int, int)) {
  auto trace = path_trace(16);
  std::vector<std::vector<double>> weights(16, std::vector<double>(16, 0));
  for (int i = 0; i < 16; ++i)
    for (int j = 0; j < i; ++j)
      if (is_there(i, j)) weights[i][j] = weights[j][i] = 0.01 * (i + j);
  trace["inputs"]["A"] = weights;
  return trace;
}

constexpr const char* kOverlaps =
    "(() => { const all = [...document.querySelectorAll('.weight')].map(w => w.getBBox()); "
    "return all.filter((a, i) => all.some((b, j) => i < j && a.x < b.x + b.width && b.x < a.x + "
    "a.width && a.y < b.y + b.height && b.y < a.y + a.height)).length; })()";

TEST(TracePage, WeightsOfEdgesDoNotLieOnEachOther) {
  // 56 edges, about as many as a test graph has.
  const auto usual = weighted_trace([](int i, int j) { return (i * 7 + j * 5) % 15 < 7; });
  EXPECT_EQ(found(usual, 1200,
                  std::string(kOverlaps) + ", document.querySelectorAll('.weight').length === "
                                           "document.querySelectorAll('.edge').length"),
            "0 | true");
  const auto complete = weighted_trace([](int, int) { return true; });
  EXPECT_THAT(found(complete, 1200, std::string(kOverlaps) + ", text('graph-note')"),
              AllOf(::testing::StartsWith("0 | "), HasSubstr("of 120 weights have no room.")));
}

TEST(TracePage, AllNodesFitAtEveryWidth) {
  for (const int nodes : {4, 12, 64})
    for (const int width : {400, 1200})
      EXPECT_EQ(found(path_trace(nodes), width,
                      "...['hints', 'shares'].map(id => document.getElementById(id)).map(p => "
                      "p.scrollWidth <= p.clientWidth), document.documentElement.scrollWidth <= "
                      "document.documentElement.clientWidth, "
                      "document.getElementById('shares').offsetHeight < 640, "
                      "document.querySelectorAll('#shares i').length"),
                fmt::format("true | true | true | true | {}", nodes * nodes))
          << nodes << " nodes, " << width << " pixels";
}

}  // namespace
}  // namespace npq::report
