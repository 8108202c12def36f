// Memory: slots with strength and age; attention and the like as pictures of numbers.
const bars = (rows, full = 0) => {  // `full`: the value of a bar of full length, where it is known
  const table = make('table', 'small bars'), most = Math.max(1e-9, full, ...rows.map(r => r.value));
  for (const row of rows) {
    const line = make('tr', row.style || ''), track = make('td', 'track'), bar = make('span', 'bar');
    bar.style.width = `${100 * Math.max(0, row.value) / most}%`;
    track.style.textAlign = 'left';
    track.append(bar);
    line.append(make('th', '', row.name), track, make('td', '', number(row.value)));
    for (const more of row.more || []) line.append(make('td', '', more));
    table.append(line);
  }
  return table;
};
const full = k => (((memoryAt(k) || {}).after || {}).written || []).map(w => w >= 0);
const slots = (k, memory) => {
  const state = memory.after, attention = seenAt(k).attention, before = full(k - 1), rows = [];
  state.written.forEach((written, j) => {
    if (written < 0 && !before[j]) return;
    const asked = attention && before[j] ? attention.reduce((sum, row) => sum + row[j], 0) : null;
    rows.push({name: `slot ${j}`, value: state.strength ? state.strength[j] : 1, style: written < 0 ? 'empty-slot' : '',
      more: [written < 0 ? 'popped' : written === k ? 'pushed now' : `pushed at ${written}, age ${k - written}`, asked === null ? '' : `attention ${number(asked)}`]});
  });
  return rows.length ? bars(rows, 1) : make('p', 'soft', 'empty');
};
const meanings = {alive: 'elements after the step', strength: 'the sum of their strengths', drained: 'part of the strength before the step that it took out',
  saturated: 'share of the numbers written in this step that are beyond ±0.999'};
const health = values => {
  const table = make('table', 'small facts-table');
  for (const name of Object.keys(meanings)) {
    if (values[name] === undefined) continue;
    const row = make('tr');
    row.append(make('th', '', name), make('td', '', number(values[name])), make('td', 'soft', meanings[name]));
    table.append(row);
  }
  return table;
};

// Pictures of numbers: what each is, and what its rows and columns stand for.
const pictures = {
  attention: ['How much each node (row) looks at each slot (column).', 'node', 'slot'],
  request: ['How much each node (row) asks of each slot (column).', 'node', 'slot'],
  grant: ['How much each node (row) gets of each slot (column).', 'node', 'slot'],
  value: ['The numbers that each node (row) reads.', 'node', 'number'],
  drained: ['How much each slot loses.', '', 'slot'],
  pushed_value: ['The numbers that are pushed.', 'node', 'number'],
  pushed_strength: ['The strength with which they are pushed.', '', 'number'],
  push: ['How strongly each node pushes.', '', 'node'],
  pop: ['How strongly each node pops.', '', 'node'],
  strengths: ['The strength of each slot (column) of each node (row).', 'node', 'slot'],
  taken: ['1: the node that is taken.', '', 'node'],
  changed: ['1: nodes whose key this changes.', '', 'node']};
const kinds = new Map();
trace.steps.forEach((_, k) => { for (const [name, value] of Object.entries(seenAt(k))) if (!kinds.has(name)) kinds.set(name, value); });
const shade = (cell, v, most) => { cell.style.background = `color-mix(in srgb, var(${v < 0 ? '--c1' : '--c0'}) ${(100 * Math.abs(v ?? 0) / most).toFixed(1)}%, var(--ground))`; };

// One picture in its place; the cell that was pointed at stays chosen from step to step.
const picked = new Map();
const read = (id, i, j) => {
  const grid = $(id).querySelector('.heat'), cell = grid && grid.querySelector(`[data-at="${i},${j}"]`);
  if (!cell) return;
  for (const old of grid.querySelectorAll('.picked')) old.classList.remove('picked');
  cell.classList.add('picked');
  picked.set(id, [i, j]);
  $(`${id}-read`).textContent = cell.dataset.text;
};
const picture = (id, name, value, k) => {
  $(`${id}-read`).textContent = '';
  if (value === undefined) return fill($(id), make('p', 'soft', 'nothing in this step'));
  const [, byRow, byColumn] = pictures[name] || ['', '', 'number'];
  const rows = Array.isArray(value) ? Array.isArray(value[0]) ? value : [value] : [[value]], wide = rows[0].length;
  const most = Math.max(...rows.flat().map(v => Math.abs(v ?? 0)));
  if (most === 0 && wide * rows.length > 1)
    return fill($(id), make('p', 'soft', byColumn === 'slot' && !full(k - 1).includes(true) && memoryAt(k).after ? 'Nothing is stored yet: all zero.' : 'All zero in this step.'));
  const label = (i, j) => `${rows.length === n && byRow ? `node ${i}, ` : ''}${byColumn} ${j}: ${number(rows[i][j])}`;
  if (rows.length === 1 && wide <= 32) {  // so few that they can be printed
    const list = make('ul', 'chips');
    rows[0].forEach((v, j) => {
      const item = make('li', '', number(v));
      if (wide > 1) item.prepend(make('span', 'true-value', `${j} `));
      shade(item, v, 2.5 * most || 1);
      list.append(item);
    });
    return fill($(id), list);
  }
  const grid = make('div', wide > 40 || rows.length > 40 ? 'heat dense' : 'heat'), height = Math.min(18, 576 / rows.length);
  grid.style.gridTemplateColumns = `1.6rem repeat(${wide}, minmax(0, ${wide > 24 ? '1fr' : '1.6rem'}))`;
  grid.style.gridAutoRows = `${height}px`;
  const named = (count, i) => count <= 24 || i % (count > 100 ? 32 : 8) === 0 ? i : '';
  grid.append(make('span'), ...rows[0].map((_, j) => make('span', 'name-of', named(wide, j))));
  rows.forEach((row, i) => {
    grid.append(make('span', 'name-of', rows.length === 1 ? '' : named(rows.length, i)));
    row.forEach((v, j) => {
      const cell = make('i');
      cell.dataset.at = `${i},${j}`;
      cell.dataset.text = label(i, j);
      shade(cell, v, most);
      grid.append(cell);
    });
  });
  fill($(id), grid);
  if (picked.has(id)) read(id, ...picked.get(id));
};
for (const id of ['shares', 'slots']) {
  const point = event => { if (event.target.dataset.at) read(id, ...event.target.dataset.at.split(',').map(Number)); };
  $(id).addEventListener('pointerover', point);
  $(id).addEventListener('click', point);
  $(id).addEventListener('keydown', event => {
    const move = {ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0]}[event.key];
    if (!move || !$(id).querySelector('.heat')) return;
    event.preventDefault();
    const [i, j] = picked.get(id) || [0, 0];
    read(id, ...(picked.has(id) ? [i + move[0], j + move[1]] : [0, 0]));
  });
}
const memoryPanels = (k, memory) => {
  fill($('health'), health(memory.health || {}));
  if (memory.after) fill($('slots'), slots(k, memory));
  else if (memory.strengths) { picture('slots', 'strengths', memory.strengths, k); $('slots').append(make('p', 'soft', pictures.strengths[0])); }
  else fill($('slots'), make('p', 'soft', kinds.has('attention') ? 'Its slots have no strength and no age; attention shows which of them are read.' : 'This memory has no slots.'));
  const kind = $('shares-kind').value, value = seenAt(k)[kind];
  picture('shares', kind, value, k);
  const grid = $('shares').querySelector('.heat');
  $('shares-note').textContent = `${(pictures[kind] || [''])[0]}${grid ? ' Darker is more, orange is negative. Point at a cell or tap it to read it; with the keyboard, tab to the picture and use the arrow keys.' : ''}`;
  if (!memory.message) return;
  const lengths = memory.message.map((value, i) => ({name: i, value})), longest = Math.max(...memory.message);
  fill($('messages'), blocks((from, to) => bars(lengths.slice(from, to), longest)));
};
