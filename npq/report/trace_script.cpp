#include "npq/report/trace_page.h"

namespace npq::report {

// Draws one step at a time. Texts go in as textContent, never as markup.
std::string_view trace_script() {
  return R"js(
'use strict';
const trace = JSON.parse(document.getElementById('trace').textContent);
const $ = id => document.getElementById(id);
const n = trace.nodes, last = trace.steps.length - 1;
const make = (tag, style, content) => {
  const part = document.createElement(tag);
  if (style) part.className = style;
  if (content !== undefined) part.textContent = content;
  return part;
};
const draw = (tag, values, content) => {
  const part = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const [key, value] of Object.entries(values)) part.setAttribute(key, value);
  if (content !== undefined) part.textContent = content;
  return part;
};
const number = v => v === null ? 'none' : typeof v !== 'number' ? String(v) : Number.isInteger(v) ? String(v) : String(Number(v.toPrecision(3)));
const fill = (place, ...parts) => place.replaceChildren(...parts);
const hide = (id, what) => { $(id).hidden = what; };

// Hints: one value per node, or one for the graph. Values of edges are too many for a table.
const shown = trace.probes.filter(p => p.stage === 'hint' && p.location !== 'edge' && (trace.hints || {})[p.name]);
const one = (probe, value) => {  // one value of a probe as text
  if (!Array.isArray(value)) return number(value);
  return value.includes(-1) ? '-' : String(value.indexOf(Math.max(...value)));
};
const cells = (probe, frame) => {
  if (probe.type === 'mask_one' || probe.location === 'graph') return [one(probe, frame)];
  return frame.map(value => one(probe, value));
};
const hintTable = k => {
  const table = make('table', 'small'), head = make('tr');
  head.append(make('th', '', 'node'));
  for (let i = 0; i < n; ++i) head.append(make('th', '', i));
  table.append(head);
  for (const probe of shown) {
    const row = make('tr'), said = cells(probe, trace.hints[probe.name].predicted[k]), right = cells(probe, trace.hints[probe.name].true[k]);
    row.append(make('th', '', probe.name));
    said.forEach((value, i) => {
      const wrong = probe.type === 'scalar' ? Math.abs(Number(value) - Number(right[i])) > .1 : right[i] !== '-' && value !== right[i];
      const cell = make('td', wrong ? 'wrong-value' : '', value);
      if (wrong) cell.append(make('span', 'true-value', right[i]));
      if (said.length === 1) { cell.colSpan = n; cell.style.textAlign = 'left'; }
      row.append(cell);
    });
    table.append(row);
  }
  return table;
};

// Graph: nodes on a circle, edges of the input, arrows of one pointer.
const pointers = trace.probes.filter(p => p.type === 'pointer' && p.location === 'node' && ((p.stage === 'hint' && (trace.hints || {})[p.name]) || p.stage === 'output')).sort((a, b) => (a.stage === 'output') - (b.stage === 'output'));
const matrix = trace.inputs.A || trace.inputs.adj;
const place = i => [250 + 205 * Math.sin(2 * Math.PI * i / n), 250 - 205 * Math.cos(2 * Math.PI * i / n)];
const arrow = (from, to, style) => {
  const [x1, y1] = place(from), [x2, y2] = place(to), length = Math.hypot(x2 - x1, y2 - y1) || 1, r = n > 24 ? 9 : 16;
  const ux = (x2 - x1) / length, uy = (y2 - y1) / length, x = x2 - ux * (r + 4), y = y2 - uy * (r + 4);
  const group = draw('g', {});
  group.append(draw('path', {class: style, d: `M${x1 + ux * r},${y1 + uy * r}L${x},${y}M${x - 7 * ux + 5 * uy},${y - 7 * uy - 5 * ux}L${x},${y}L${x - 7 * ux - 5 * uy},${y - 7 * uy + 5 * ux}`}));
  return group;
};
const graph = k => {
  const svg = draw('svg', {viewBox: '0 0 500 500', role: 'img', 'aria-label': 'graph'});
  if (matrix) for (let i = 0; i < n; ++i) for (let j = i + 1; j < n; ++j) {
    if (!matrix[i][j] && !matrix[j][i]) continue;
    const [x1, y1] = place(i), [x2, y2] = place(j), w = matrix[i][j] || matrix[j][i];
    svg.append(draw('line', {class: 'edge', x1, y1, x2, y2}));
    if (n <= 16 && w !== 1) svg.append(draw('text', {class: 'weight', x: x1 + .42 * (x2 - x1), y: y1 + .42 * (y2 - y1)}, w.toFixed(2)));
  }
  const probe = pointers.find(p => p.name === $('arrows').value);
  if (probe) {
    const both = probe.stage === 'hint' ? trace.hints[probe.name] : trace.outputs[probe.name];
    const said = probe.stage === 'hint' ? both.predicted[k] : both.predicted, right = probe.stage === 'hint' ? both.true[k] : both.true;
    said.forEach((to, i) => {
      if (to !== right[i] && right[i] !== i && right[i] >= 0) svg.append(arrow(i, right[i], 'arrow true'));
      if (to !== i) svg.append(arrow(i, to, to === right[i] ? 'arrow' : 'arrow wrong'));
    });
  }
  const step = trace.steps[k], inside = new Set(step.queue || []), u = shown.find(p => p.name === 'u' || p.name === 'i');
  const now = u && u.type === 'mask_one' ? Number(cells(u, trace.hints[u.name].true[k])[0]) : -1;
  for (let i = 0; i < n; ++i) {
    const [cx, cy] = place(i);
    svg.append(draw('circle', {class: `node${inside.has(i) ? ' in' : ''}${i === now ? ' now' : ''}`, cx, cy, r: n > 24 ? 9 : 16}));
    svg.append(draw('text', {class: 'node-name', x: cx, y: cy}, i));
  }
  return svg;
};

// Memory: slots with strength and age, whatever else it lets us see as pictures of numbers.
const bars = rows => {
  const table = make('table', 'small bars'), most = Math.max(1e-9, ...rows.map(r => r.value));
  for (const row of rows) {
    const line = make('tr', row.style || ''), track = make('td', 'track'), bar = make('span', 'bar');
    bar.style.width = `${100 * Math.max(0, row.value) / Math.max(most, row.full || 0)}%`;
    track.style.textAlign = 'left';
    track.append(bar);
    line.append(make('th', '', row.name), track, make('td', '', number(row.value)));
    for (const more of row.more || []) line.append(make('td', '', more));
    table.append(line);
  }
  return table;
};
const slots = (k, memory) => {
  const state = memory.after, attention = (memory.seen || {}).attention;
  const rows = [];
  state.written.forEach((written, j) => {
    const before = memory.before && memory.before.written[j] >= 0;
    if (written < 0 && !before) return;
    const asked = attention && before ? attention.reduce((sum, row) => sum + row[j], 0) : null;
    rows.push({name: `slot ${j}`, value: state.strength ? state.strength[j] : 1, full: 1, style: written < 0 ? 'empty-slot' : '',
      more: [written < 0 ? 'popped' : written === k ? 'pushed now' : `pushed at ${written}, age ${k - written}`, asked === null ? '' : `attention ${number(asked)}`]});
  });
  return rows.length ? bars(rows) : make('p', 'soft', 'empty');
};
const kinds = new Map();
for (const step of trace.steps) for (const [name, value] of Object.entries((step.memory || {}).seen || {})) if (!kinds.has(name)) kinds.set(name, value);
const picture = value => {
  if (value === undefined) return make('p', 'soft', 'nothing in this step');
  const rows = Array.isArray(value) ? Array.isArray(value[0]) ? value : [value] : [[value]];
  const most = Math.max(1e-9, ...rows.flat().map(v => Math.abs(v ?? 0)));
  const table = make('table', 'heat'), byNode = rows.length === n, wide = rows[0].length;
  if (wide <= 64) {
    const head = make('tr');
    head.append(make('th'));
    for (let j = 0; j < wide; ++j) head.append(make('th', '', wide > 24 && j % 4 ? '' : j));
    table.append(head);
  }
  rows.forEach((row, i) => {
    const line = make('tr');
    line.append(make('th', '', byNode ? i : ''));
    row.forEach((v, j) => {
      const cell = make('td');
      cell.style.background = `color-mix(in srgb, var(${v < 0 ? '--c1' : '--c0'}) ${(100 * Math.abs(v ?? 0) / most).toFixed(1)}%, var(--ground))`;
      cell.title = `${byNode ? `node ${i}, ` : ''}${j}: ${number(v)}`;
      line.append(cell);
    });
    table.append(line);
  });
  return table;
};
const memoryPanels = (k, memory) => {
  const health = memory.health || {};
  fill($('health'), Object.entries(health).map(([name, value]) => `${name} ${number(value)}`).join(', '));
  fill($('slots'), memory.after ? slots(k, memory) : memory.strengths ? picture(memory.strengths) : make('p', 'soft', 'has no slots'));
  const kind = $('shares-kind').value;
  fill($('shares'), picture((memory.seen || {})[kind]));
  const value = kinds.get(kind);
  $('shares-note').textContent = Array.isArray(value) && Array.isArray(value[0]) && value.length === n
    ? 'A row for each node, a column for each slot or number; darker is more. Point at a cell to read it.' : 'Darker is more, orange is negative. Point at a cell to read it.';
  if (memory.message) fill($('messages'), bars(memory.message.map((value, i) => ({name: i, value}))));
};
const truth = step => {
  const list = make('ol', 'queue-list');
  for (const node of step.queue) list.append(make('li', step.entered.includes(node) ? 'entered' : '', node));
  return step.queue.length ? list : make('p', 'soft', 'empty');
};

let at = 0, timer = 0;
const show = k => {
  at = Math.max(0, Math.min(last, k));
  const step = trace.steps[at];
  $('time').value = at;
  $('now').textContent = `step ${at} of ${last}`;
  fill($('graph'), graph(at));
  if (shown.length) fill($('hints'), hintTable(at));
  if (step.memory) memoryPanels(at, step.memory);
  if (step.queue) fill($('truth'), truth(step));
};
const play = on => {
  clearInterval(timer);
  timer = on ? setInterval(() => at < last ? show(at + 1) : play(false), 700) : 0;
  $('play').textContent = on ? 'stop' : 'play';
};
const begin = () => {
  $('time').max = last;
  for (const probe of pointers) $('arrows').append(make('option', '', probe.name));
  for (const name of kinds.keys()) $('shares-kind').append(make('option', '', name));
  hide('arrows-label', pointers.length === 0);
  hide('hints-panel', shown.length === 0);
  hide('memory-panel', !trace.steps[0].memory);
  hide('shares-panel', kinds.size === 0);
  hide('messages-panel', !(trace.steps[0].memory || {}).message);
  hide('truth-panel', !trace.steps[0].queue);
  $('graph-note').textContent = pointers.length ? 'Green: as the algorithm; orange: not, with the true arrow dashed. Filled: in the true queue; orange ring: the node at work.' : '';
  if (trace.agreement) {
    const a = trace.agreement;
    $('agreement').textContent = a.compared || a.correlated
      ? `Next to leave first; marked: just entered. The slot with most attention is that of the next node to leave in ${a.top === null ? 'none' : number(100 * a.top) + '%'} of ${a.compared} comparable steps; rank correlation of attention with the order of leaving ${a.correlation === null ? 'none' : number(a.correlation)} (${a.correlated} steps).`
      : 'Next to leave first; marked: just entered. No step of this memory can be compared with it.';
  }
  $('time').addEventListener('input', () => { play(false); show(Number($('time').value)); });
  $('back').addEventListener('click', () => { play(false); show(at - 1); });
  $('next').addEventListener('click', () => { play(false); show(at + 1); });
  $('play').addEventListener('click', () => { if (!timer && at === last) show(0); play(!timer); });
  $('arrows').addEventListener('change', () => show(at));
  $('shares-kind').addEventListener('change', () => show(at));
  document.addEventListener('keydown', event => {
    if (event.target.tagName === 'SELECT' || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'ArrowLeft' || event.key === 'ArrowRight') { event.preventDefault(); play(false); show(at + (event.key === 'ArrowLeft' ? -1 : 1)); }
    else if (event.key === 'Home' || event.key === 'End') { event.preventDefault(); play(false); show(event.key === 'Home' ? 0 : last); }
    else if (event.key === ' ' && event.target.tagName !== 'BUTTON') { event.preventDefault(); play(!timer); }
  });
  show(0);
};
begin();
)js";
}

}  // namespace npq::report
