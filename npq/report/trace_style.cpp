#include "npq/report/trace_page.h"

namespace npq::report {

std::string_view trace_style() {
  return R"css(
.controls { position: sticky; top: 0; z-index: 2; display: flex; gap: .5rem; align-items: center; padding: .6rem 0; background: var(--ground);
  border-bottom: 1px solid var(--rule); }
.controls input { flex: 1; min-width: 4rem; accent-color: var(--c0); } .controls output { font-variant-numeric: tabular-nums; white-space: nowrap; }
button, select { font: inherit; color: inherit; background: var(--raised); border: 1px solid var(--rule); border-radius: 6px; padding: .2rem .6rem; }
.panels { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 460px), 1fr)); gap: 1rem; margin-top: 1rem; align-items: start; }
.panel { background: var(--raised); border-radius: 8px; padding: .7rem .9rem; min-width: 0; }
.panel h2 { margin: 0 0 .4rem; font-size: 1.05rem; } .panel svg { display: block; width: 100%; height: auto; }
.panel label { font-size: .85rem; color: var(--soft); }
.edge { stroke: var(--rule); stroke-width: 1.5; } .weight { fill: var(--soft); font-size: 10px; text-anchor: middle; }
.node { fill: var(--ground); stroke: var(--soft); stroke-width: 1.5; } .node.in { fill: var(--c0); fill-opacity: .3; stroke: var(--c0); }
.node.now { stroke: var(--c1); stroke-width: 4; } .node-name { fill: var(--ink); font-size: 13px; text-anchor: middle; dominant-baseline: central; }
.arrow { stroke: var(--c2); stroke-width: 2.5; fill: none; } .arrow.wrong { stroke: var(--c1); } .arrow.true { stroke: var(--soft); stroke-dasharray: 3 4; stroke-width: 1.5; }
.small { font-size: .78rem; } .small th, .small td { padding: .15rem .35rem; text-align: right; white-space: nowrap; } .small th:first-child { text-align: left; } .small th { vertical-align: top; border-bottom-width: 1px; } .bars th { border: 0; }
.wrong-value { color: var(--c1); font-weight: 600; } .true-value { display: block; color: var(--soft); font-size: .85em; }
.bar { display: inline-block; height: .7em; background: var(--c0); border-radius: 2px; vertical-align: baseline; min-width: 1px; }
.bar.more { background: var(--c4); } .bars td { border: 0; padding: .1rem .35rem; } .bars td.track { width: 60%; } .empty-slot { opacity: .35; }
.heat { border-collapse: separate; border-spacing: 1px; width: auto; font-size: .7rem; } .heat td { width: 1.15rem; min-width: .6rem; height: 1.15rem; padding: 0; border: 0; }
.heat th { padding: 0 .2rem; border: 0; font-weight: 400; text-align: center; }
.queue-list { display: flex; flex-wrap: wrap; gap: .3rem; list-style: none; padding: 0; margin: .2rem 0; } .queue-list li { border: 1px solid var(--rule); border-radius: 6px; padding: .1rem .55rem; }
.queue-list li:first-child { border-color: var(--c0); font-weight: 700; } .queue-list li.entered { background: var(--warn-ground); }
[hidden] { display: none !important; }
@media print { .controls { position: static; } .controls button, .controls input { display: none; } }
)css";
}

}  // namespace npq::report
