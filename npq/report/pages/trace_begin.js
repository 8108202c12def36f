// Shared by all parts of the page. Texts go in as textContent, never as markup.
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
const number = v => v === null ? '-' : typeof v !== 'number' ? String(v) : Number.isInteger(v) ? String(v) : String(Number(v.toPrecision(3)));
const percent = v => `${number(100 * v)}%`;
const fill = (place, ...parts) => place.replaceChildren(...parts);
const hide = (id, what) => { $(id).hidden = what; };
const memoryAt = k => (trace.steps[k] || {}).memory;
// Many nodes are shown in three blocks side by side.
const many = n > 24, tall = many ? Math.ceil(n / 3) : n;
const blocks = part => {
  const all = make('div', 'blocks');
  for (let from = 0; from < n; from += tall) all.append(part(from, Math.min(n, from + tall)));
  return all;
};
const seenAt = k => (memoryAt(k) || {}).seen || {};
