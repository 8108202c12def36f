#include "npq/report/pages/embedded.h"

// A file, byte for byte, between two symbols; the folder comes from npq/CMakeLists.txt.
#define NPQ_EMBED(name, file)                                                                \
  asm(".section .rodata\n.global npq_" #name "_begin\n.global npq_" #name "_end\nnpq_" #name \
      "_begin:\n.incbin \"" NPQ_REPORT_DIR "/" file "\"\nnpq_" #name                         \
      "_end:\n.byte 0\n.section .text\n");                                                   \
  extern "C" const char npq_##name##_begin[], npq_##name##_end[]

NPQ_EMBED(bars_css, "charts/bars.css");
NPQ_EMBED(page_css, "pages/page.css");
NPQ_EMBED(page_js, "pages/page.js");
NPQ_EMBED(trace_css, "pages/trace.css");
NPQ_EMBED(trace_begin_js, "pages/trace_begin.js");
NPQ_EMBED(trace_values_js, "pages/trace_values.js");
NPQ_EMBED(trace_graph_js, "pages/trace_graph.js");
NPQ_EMBED(trace_memory_js, "pages/trace_memory.js");
NPQ_EMBED(trace_end_js, "pages/trace_end.js");
NPQ_EMBED(paper_json, "tables/paper.json");
#undef NPQ_EMBED

namespace npq::report {

std::string_view bar_style() { return {npq_bars_css_begin, npq_bars_css_end}; }
std::string_view page_style() { return {npq_page_css_begin, npq_page_css_end}; }
std::string_view page_script() { return {npq_page_js_begin, npq_page_js_end}; }
std::string_view trace_style() { return {npq_trace_css_begin, npq_trace_css_end}; }
std::string_view paper_json() { return {npq_paper_json_begin, npq_paper_json_end}; }

// One script in parts: what they share, three kinds of panels, and what moves through time.
std::string trace_script() {
  std::string script(npq_trace_begin_js_begin, npq_trace_begin_js_end);
  script.append(npq_trace_values_js_begin, npq_trace_values_js_end);
  script.append(npq_trace_graph_js_begin, npq_trace_graph_js_end);
  script.append(npq_trace_memory_js_begin, npq_trace_memory_js_end);
  return script.append(npq_trace_end_js_begin, npq_trace_end_js_end);
}

}  // namespace npq::report
