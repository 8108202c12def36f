// The graph after a step: nodes on a circle, edges of the input, arrows of one pointer.
const pointers = trace.probes.filter(p => p.type === 'pointer' && p.location === 'node' && ((p.stage === 'hint' && (trace.hints || {})[p.name]) || (p.stage === 'output' && (trace.outputs || {})[p.name]))).sort((a, b) => (a.stage === 'output') - (b.stage === 'output'));
const matrix = trace.inputs.A || trace.inputs.adj;
const radius = many ? 9 : 16;
const place = i => [250 + 215 * Math.sin(2 * Math.PI * i / n), 250 - 215 * Math.cos(2 * Math.PI * i / n)];
const arrow = (from, to, style) => {
  const [x1, y1] = place(from), [x2, y2] = place(to), length = Math.hypot(x2 - x1, y2 - y1) || 1;
  const ux = (x2 - x1) / length, uy = (y2 - y1) / length, x = x2 - ux * (radius + 4), y = y2 - uy * (radius + 4);
  return draw('path', {class: style, d: `M${x1 + ux * radius},${y1 + uy * radius}L${x},${y}M${x - 7 * ux + 5 * uy},${y - 7 * uy - 5 * ux}L${x},${y}L${x - 7 * ux - 5 * uy},${y - 7 * uy + 5 * ux}`});
};
// The node at work, of which the algorithm has one in each step.
const worker = shown.find(p => (p.name === 'u' || p.name === 'i') && p.type === 'mask_one');
const edges = [];
if (matrix) for (let i = 0; i < n; ++i) for (let j = i + 1; j < n; ++j)
  if (matrix[i][j] || matrix[j][i]) edges.push({from: place(i), to: place(j), weight: matrix[i][j] || matrix[j][i]});
// The places of the weights: on their edge, away from nodes and other weights, and off the middle, where long edges cross. Short edges
// choose first, since they have least room. A weight without room is left out and counted.
const labels = [], length = edge => Math.hypot(edge.to[0] - edge.from[0], edge.to[1] - edge.from[1]);
const weighted = n <= 16 ? edges.filter(edge => edge.weight !== 1).sort((a, b) => length(a) - length(b)) : [];
const isFree = (x, y) => labels.every(other => Math.abs(x - other.x) > 29 || Math.abs(y - other.y) > 14) &&
  Array.from({length: n}, (_, i) => place(i)).every(([cx, cy]) => Math.abs(x - cx) > radius + 14 || Math.abs(y - cy) > radius + 8);
weighted.forEach((edge, index) => {
  const wish = length(edge) < 160 ? .5 : index % 2 ? .3 : .7;
  const parts = Array.from({length: 41}, (_, i) => .1 + .02 * i).sort((a, b) => Math.abs(a - wish) - Math.abs(b - wish));
  const spots = parts.map(part => ({x: edge.from[0] + part * (edge.to[0] - edge.from[0]), y: edge.from[1] + part * (edge.to[1] - edge.from[1])}));
  const spot = spots.find(({x, y}) => isFree(x, y));
  if (spot) labels.push({...spot, text: edge.weight.toFixed(2)});
});
const graph = k => {
  const svg = draw('svg', {viewBox: '0 0 500 500', role: 'img', 'aria-label': 'graph'});
  for (const {from, to} of edges) svg.append(draw('line', {class: 'edge', x1: from[0], y1: from[1], x2: to[0], y2: to[1]}));
  const probe = pointers.find(p => p.name === $('arrows').value);
  if (probe) {
    const both = probe.stage === 'hint' ? trace.hints[probe.name] : trace.outputs[probe.name];
    const said = probe.stage === 'hint' ? both.predicted[k] : both.predicted, right = probe.stage === 'hint' ? both.true[k] : both.true;
    said.forEach((to, i) => {
      if (to !== right[i] && right[i] !== i && right[i] >= 0) svg.append(arrow(i, right[i], 'arrow true'));
      if (to !== i) svg.append(arrow(i, to, to === right[i] ? 'arrow' : 'arrow wrong'));
    });
  }
  svg.append(...labels.map(({x, y, text}) => draw('text', {class: 'weight', x, y}, text)));
  const inside = new Set(trace.steps[k].queue_after || []);
  const now = worker ? Number(cells(worker, trace.hints[worker.name].true[k])[0].text) : -1;
  for (let i = 0; i < n; ++i) {
    const [cx, cy] = place(i);
    svg.append(draw('circle', {class: `node${inside.has(i) ? ' in' : ''}${i === now ? ' now' : ''}`, cx, cy, r: radius}));
    svg.append(draw('text', {class: `node-name${many ? ' tiny' : ''}`, x: cx, y: cy}, i));
  }
  return svg;
};
const graphNote = () => [
  pointers.length ? 'Green arrow: as the algorithm; orange: not, with the true arrow dashed.' : '',
  trace.steps[0].queue_after ? 'Filled: in the true queue after this step.' : '',
  worker ? 'Orange ring: the node that the algorithm works on in this step.' : '',
  labels.length < weighted.length ? `${weighted.length - labels.length} of ${weighted.length} weights have no room.` : ''].join(' ');
