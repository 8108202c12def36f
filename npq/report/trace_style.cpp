#include "npq/report/trace_page.h"

namespace npq::report {

std::string_view trace_style() {
  return R"css(
.controls { position: sticky; top: 0; z-index: 2; display: flex; gap: .5rem; align-items: center; padding: .6rem 0; background: var(--ground);
  border-bottom: 1px solid var(--rule); }
.controls input { flex: 1; min-width: 4rem; accent-color: var(--c0); } .controls output { font-variant-numeric: tabular-nums; white-space: nowrap; }
button, select { font: inherit; color: inherit; background: var(--raised); border: 1px solid var(--rule); border-radius: 6px; padding: .2rem .6rem; }
.panels { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 460px), 1fr)); gap: 1rem; margin-top: 1rem; align-items: start; }
.panel { --under: var(--raised); background: var(--raised); border-radius: 8px; padding: .7rem .9rem; min-width: 0; }
.panel h2 { margin: 0 0 .4rem; font-size: 1.05rem; } .panel svg { display: block; width: 100%; height: auto; }
.panel label { font-size: .85rem; color: var(--soft); }
.panel.full { grid-column: 1 / -1; } #graph-panel, #shares-panel { grid-row: span 2; } .full { order: 1; } #graph { max-width: 640px; margin: 0 auto; }
.edge { stroke: var(--rule); stroke-width: 1.5; }
.weight { fill: var(--soft); font-size: 10.5px; text-anchor: middle; dominant-baseline: central; paint-order: stroke; stroke: var(--raised); stroke-width: 5px; stroke-linejoin: round; }
.node { fill: var(--ground); stroke: var(--soft); stroke-width: 1.5; } .node.in { fill: var(--c0); fill-opacity: .3; stroke: var(--c0); }
.node.now { stroke: var(--c1); stroke-width: 4; } .node-name { fill: var(--ink); font-size: 13px; text-anchor: middle; dominant-baseline: central; } .node-name.tiny { font-size: 9.5px; }
.arrow { stroke: var(--c2); stroke-width: 2.5; fill: none; } .arrow.wrong { stroke: var(--c1); } .arrow.true { stroke: var(--soft); stroke-dasharray: 3 4; stroke-width: 1.5; }
.small { font-size: .78rem; } .small th, .small td { padding: .15rem .35rem; text-align: right; white-space: nowrap; } .small th:first-child { text-align: left; } .small th { vertical-align: top; border-bottom-width: 1px; } .bars th { border: 0; }
.small tr > td.soft { white-space: normal; text-align: left; } .facts-table { width: auto; margin-top: .5rem; } .facts-table th, .facts-table td { border: 0; }
.blocks { display: flex; flex-wrap: wrap; gap: 1rem; align-items: start; } .blocks table { flex: 1 1 12rem; width: auto; }
.full .blocks { gap: .6rem 1.4rem; } .full .blocks table { max-width: 24rem; } .full .small th, .full .small td { padding: .1rem .2rem; } .facts { display: flex; flex-wrap: wrap; gap: .2rem 1.2rem; font-size: .85rem; }
.wrong-value { color: var(--c1); font-weight: 600; } .true-value { color: var(--soft); font-size: .85em; font-weight: 400; }
.bar { display: inline-block; height: .7em; background: var(--c0); border-radius: 2px; vertical-align: baseline; min-width: 1px; }
.bar.more { background: var(--c4); } .bars td { border: 0; padding: .1rem .35rem; } .bars td.track { width: 60%; } .empty-slot { opacity: .35; }
.heat { display: grid; gap: 1px; font-size: .7rem; line-height: 1; margin-top: .4rem; } .heat.dense { gap: 0; } .heat i { min-width: 0; touch-action: manipulation; }
.heat .name-of { color: var(--soft); text-align: center; align-self: center; min-width: 0; white-space: nowrap; overflow: visible; } .heat .picked { outline: 2px solid var(--ink); z-index: 1; }
.read { min-height: 1.5em; font-variant-numeric: tabular-nums; } .read:empty { display: none; } #shares-read:empty { display: block; }
.chips { display: flex; flex-wrap: wrap; gap: .3rem; list-style: none; padding: 0; margin: .2rem 0; } .chips li { border: 1px solid var(--rule); border-radius: 6px; padding: .1rem .55rem; }
.chips li.right { border-color: var(--c2); } .chips li.wrong-value { border-color: var(--c1); }
.queue li:first-child { border-color: var(--c0); font-weight: 700; } .queue li.entered { background: var(--warn-ground); }
[hidden] { display: none !important; }
@media print { .controls { position: static; } .controls button, .controls input { display: none; } }
)css";
}

}  // namespace npq::report
