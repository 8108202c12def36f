#include "npq/report/page.h"

namespace npq::report {

// What a chart needs by itself. The first eight colours are by Okabe and Ito, told apart by people
// with any kind of colour vision; on dark ground their lighter forms. A chart with more than eight
// lines has dashes beside.
std::string_view bar_style() {
  return R"css(
:root { color-scheme: light dark;
  --ground: #fff; --raised: #f6f7f9; --ink: #1b1f24; --soft: #5b6470; --rule: #dde1e7; --warn: #8a4b00; --warn-ground: #fff4e2; --bad: #c0271c; --shadow: #0003;
  --c0: #0072b2; --c1: #d55e00; --c2: #009e73; --c3: #a8518a; --c4: #b58900; --c5: #3d9bd1; --c6: #444; --c7: #8c6d31; --c8: #c2185b; --c9: #6a3fb5;
  --c10: #5a8a00; --c11: #00838f; --c12: #8b1a1a; --c13: #2a4fd0; --c14: #e0669a; --c15: #7a7a7a; --c16: #1b5e20; --c17: #c98a5e; --c18: #4a148c; --c19:
  #a39400; }
@media (prefers-color-scheme: dark) { :root {
  --ground: #14171b; --raised: #1d2127; --ink: #e6e9ee; --soft: #a2abb8; --rule: #343a43; --warn: #ffcf8a; --warn-ground: #33260f; --bad: #ff7b6b; --shadow: #fff3;
  --c0: #56b4e9; --c1: #ff8f3d; --c2: #2fd0a0; --c3: #e08fc4; --c4: #f0e442; --c5: #9ad4f5; --c6: #cfcfcf; --c7: #d3b06a; --c8: #ff5c93; --c9: #b79bff;
  --c10: #a6d64a; --c11: #3fd3de; --c12: #ff7b6b; --c13: #7d9aff; --c14: #ffb3d1; --c15: #8f8f8f; --c16: #7fd08a; --c17: #e8b894; --c18: #d07bff; --c19:
  #c9c05a; } }
.tick, .name { fill: var(--soft); font-size: 12px; } .remark { font-style: italic; }
.grid { stroke: var(--rule); } .axis { stroke: var(--soft); }
.c0 { --c: var(--c0); } .c1 { --c: var(--c1); } .c2 { --c: var(--c2); } .c3 { --c: var(--c3); } .c4 { --c: var(--c4); } .c5 { --c: var(--c5); } .c6 {
--c: var(--c6); } .c7 { --c: var(--c7); } .c8 { --c: var(--c8); } .c9 { --c: var(--c9); } .c10 { --c: var(--c10); } .c11 { --c: var(--c11); } .c12 {
--c: var(--c12); } .c13 { --c: var(--c13); } .c14 { --c: var(--c14); } .c15 { --c: var(--c15); } .c16 { --c: var(--c16); } .c17 { --c: var(--c17); }
.c18 { --c: var(--c18); } .c19 { --c: var(--c19); }
.bar { fill: var(--c); } .pale { opacity: .5; } .whisker { stroke: var(--ink); stroke-width: 1.5; }
.draw { fill: var(--ground); stroke: var(--ink); stroke-width: 1; })css";
}

std::string_view page_style() {
  return R"css(
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 16px/1.5 system-ui, "Segoe UI", "DejaVu Sans", sans-serif; }
main { max-width: 1320px; margin: 0 auto; padding: 1.5rem 1.25rem 4rem; }
h1 { font-size: 1.7rem; line-height: 1.2; margin: 0 0 .3rem; }
h2 { font-size: 1.25rem; margin: 2.4rem 0 .6rem; } h3 { font-size: 1rem; margin: 1.4rem 0 .4rem; }
p { margin: .4rem 0; max-width: 75ch; }
.soft { color: var(--soft); }
.conclusion { font-size: 1.08rem; margin: .9rem 0 1.2rem; padding-left: .9rem; border-left: 4px solid var(--c0); }
code { font: .85em ui-monospace, "DejaVu Sans Mono", monospace; overflow-wrap: anywhere; }
.note { background: var(--warn-ground); color: var(--warn); border-left: 4px solid currentColor; padding: .6rem .9rem; margin: 1rem 0; border-radius: 4px; }
.note ul { margin: .3rem 0 0; padding-left: 1.2rem; }
.scroll { overflow-x: auto;  /* a shadow at each side where there is more */
  background: linear-gradient(to right, var(--under, var(--ground)) 30%, transparent) left / 3rem 100% no-repeat local, linear-gradient(to left, var(--under, var(--ground)) 30%, transparent) right / 3rem 100% no-repeat local,
    linear-gradient(to right, var(--shadow), transparent) left / 1rem 100% no-repeat scroll, linear-gradient(to left, var(--shadow), transparent) right / 1rem 100% no-repeat scroll; }
.scroll:focus-visible { outline: 2px solid var(--c0); }
.cue { display: none; font-size: .8rem; color: var(--soft); text-align: right; max-width: none; margin: .2rem 0 0; } .more + .cue { display: block; }
table { border-collapse: collapse; width: 100%; font-size: .875rem; font-variant-numeric: tabular-nums; }
th, td { text-align: left; padding: .4rem .45rem; border-bottom: 1px solid var(--rule); vertical-align: top; }
th { color: var(--soft); font-weight: 600; vertical-align: bottom; border-bottom-width: 2px; }
.number { text-align: right; }
td.wide { overflow-wrap: anywhere; min-width: 9rem; }
.good { color: var(--c2); font-weight: 600; } .bad { color: var(--bad); font-weight: 700; }
td.short { white-space: nowrap; }
.dense { font-size: .78rem; } .dense th, .dense td { padding: .35rem .25rem; } .dense td.short { white-space: normal; min-width: 3.5rem; } .dense td.wide { min-width: 7rem; }
.legend { list-style: none; display: flex; flex-wrap: wrap; gap: .3rem 1.4rem; padding: 0; margin: .4rem 0 .8rem; }
.mark { width: 28px; height: 10px; vertical-align: middle; margin-right: .45rem; }
.charts { margin-bottom: 1rem; display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 440px), 1fr)); gap: 1rem; align-items: start; }
.chart { position: relative; margin: 0; padding: .7rem .7rem .3rem; background: var(--raised); border-radius: 8px; min-width: 0; }
.chart:focus-visible { outline: 2px solid var(--c0); }
.chart svg { display: block; width: 100%; height: auto; touch-action: pan-y; }
figcaption { font-weight: 600; font-size: .95rem; margin-bottom: .2rem; }
figcaption span { color: var(--soft); font-weight: 400; }
.guide { stroke: var(--soft); stroke-dasharray: 2 3; }
.line { fill: none; stroke-width: 2; stroke-linejoin: round; stroke-linecap: round; }
.band { opacity: .18; stroke: none; }
.bars { margin: 0; padding: .7rem .7rem .3rem; background: var(--raised); border-radius: 8px; min-width: 0; align-self: start; }
.bars > svg { display: block; width: 100%; max-width: 640px; height: auto; }
.line { stroke: var(--c); } .band, .dot { fill: var(--c); } .chart .draw { fill: var(--c); stroke: var(--raised); } .swatch { color: var(--c); }
.d1 { stroke-dasharray: 7 4; } .d2 { stroke-dasharray: 2 4; } .d3 { stroke-dasharray: 9 3 2 3; }
.together { font-size: .8rem; color: var(--soft); max-width: none; margin: .1rem 0 .3rem; }
.readout { position: absolute; display: none; z-index: 1; top: 2.4rem; padding: .4rem .6rem; font-size: .8rem; line-height: 1.45; pointer-events: none;
  background: var(--ground); border: 1px solid var(--rule); border-radius: 6px; box-shadow: 0 2px 8px #0003; font-variant-numeric: tabular-nums; max-width: 90%; }
.readout b { font-weight: 600; }
details { border-bottom: 1px solid var(--rule); padding: .5rem 0; }
.microscope iframe { width: 100%; height: 88vh; border: 1px solid var(--rule); border-radius: 8px; margin: .6rem 0; background: var(--ground); }
summary { cursor: pointer; overflow-wrap: anywhere; }
details pre { white-space: pre-wrap; overflow-wrap: anywhere; background: var(--raised); padding: .7rem; border-radius: 6px; font-size: .8rem; margin: .5rem 0; }
details dl { columns: 3 220px; margin: .5rem 0; font-size: .8rem; }
details dl div { break-inside: avoid; } details dt, details dd { display: inline; margin: 0; } details dt { color: var(--soft); } details dt::after { content: ": "; }
@media (max-width: 680px) {
  main { padding: 1rem .8rem 3rem; }
  .cards thead { display: none; }
  .cards, .cards tbody, .cards tr, .cards td { display: block; }
  .cards tr { background: var(--raised); border-radius: 8px; padding: .5rem .8rem; margin-bottom: .8rem; }
  .cards td, .dense td, .dense td.short, .dense td.wide { display: flex; justify-content: space-between; gap: 1rem; text-align: right; white-space: normal; border: 0; padding: .14rem 0; min-width: 0; font-size: .875rem; }
  .cards td::before { content: attr(data-name); color: var(--soft); text-align: left; flex: none; max-width: 50%; }
  .cards td.empty { display: none; }
}
@page { size: landscape; margin: 12mm; }
@media print {
  :root { --ground: #fff; --raised: #fff; --ink: #000; --soft: #444; --rule: #bbb; --warn: #000; --warn-ground: #fff;
    --c0: #0072b2; --c1: #d55e00; --c2: #009e73; --c3: #a8518a; --c4: #b58900; --c5: #3d9bd1; --c6: #444; --c7: #8c6d31; --c8: #c2185b; --c9: #6a3fb5; --c10: #5a8a00; --c11: #00838f; --c12: #8b1a1a; --c13: #2a4fd0; --c14: #e0669a; --c15: #7a7a7a; --c16: #1b5e20; --c17: #c98a5e; --c18: #4a148c; --c19: #a39400; }
  body { font-size: 10pt; } main { max-width: none; padding: 0; } table { font-size: 7pt; } th, td { padding: .15rem .25rem; } td.short { white-space: normal; } td.wide { min-width: 0; }
  .charts { grid-template-columns: 1fr 1fr; } .chart, tr, details { break-inside: avoid; } .bars .name { fill: #000; } .readout { display: none !important; } .scroll { overflow: visible; background: none; } .cue { display: none !important; }
}
)css";
}

}  // namespace npq::report
