#include "npq/report/trace_page.h"

namespace npq::report {
namespace {

// What all parts use. Texts go in as textContent, never as markup.
constexpr std::string_view kBegin = R"js(
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
// Many nodes stand in three blocks side by side.
const many = n > 24, tall = many ? Math.ceil(n / 3) : n;
const blocks = part => {
  const all = make('div', 'blocks');
  for (let from = 0; from < n; from += tall) all.append(part(from, Math.min(n, from + tall)));
  return all;
};
const seenAt = k => (memoryAt(k) || {}).seen || {};
)js";

// Moves through time.
constexpr std::string_view kEnd = R"js(
let at = 0, timer = 0;
const show = k => {
  at = Math.max(0, Math.min(last, k));
  const step = trace.steps[at];
  $('time').value = at;
  $('now').textContent = `step ${at} of ${last}`;
  fill($('graph'), graph(at));
  if (shown.length) hints(at);
  if (step.memory) memoryPanels(at, step.memory);
  if (step.queue) fill($('truth'), truth(step));
};
const play = on => {
  clearInterval(timer);
  timer = on ? setInterval(() => at < last ? show(at + 1) : play(false), 700) : 0;
  $('play').textContent = on ? 'stop' : 'play';
};
// Before anything is stored there is little to see: the first step whose nodes look at something.
const opening = () => {
  const first = trace.steps.findIndex((_, k) => k > 0 && (seenAt(k).attention || []).flat().some(v => v));
  return first >= 0 ? first : memoryAt(0) ? 1 : 0;
};
const begin = () => {
  $('time').max = last;
  for (const probe of pointers) {
    const option = make('option', '', probe.stage === 'output' ? `${probe.name}: the answer` : probe.name);
    option.value = probe.name;
    $('arrows').append(option);
  }
  for (const name of kinds.keys()) $('shares-kind').append(make('option', '', name));
  hide('arrows-label', pointers.length === 0);
  hide('hints-panel', shown.length === 0);
  hide('memory-panel', !memoryAt(0));
  hide('shares-panel', kinds.size === 0);
  hide('messages-panel', !(memoryAt(0) || {}).message);
  hide('truth-panel', !trace.steps[0].queue);
  for (const id of ['hints-panel', 'messages-panel']) $(id).classList.toggle('full', many);
  $('graph-note').textContent = graphNote();
  $('agreement').textContent = trace.agreement ? agreement(trace.agreement) : '';
  answer();
  $('time').addEventListener('input', () => { play(false); show(Number($('time').value)); });
  $('back').addEventListener('click', () => { play(false); show(at - 1); });
  $('next').addEventListener('click', () => { play(false); show(at + 1); });
  $('play').addEventListener('click', () => { if (!timer && at === last) show(0); play(!timer); });
  $('arrows').addEventListener('change', () => show(at));
  $('shares-kind').addEventListener('change', () => show(at));
  document.addEventListener('keydown', event => {
    if (event.defaultPrevented || event.target.tagName === 'SELECT' || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'ArrowLeft' || event.key === 'ArrowRight') { event.preventDefault(); play(false); show(at + (event.key === 'ArrowLeft' ? -1 : 1)); }
    else if (event.key === 'Home' || event.key === 'End') { event.preventDefault(); play(false); show(event.key === 'Home' ? 0 : last); }
    else if (event.key === ' ' && event.target.tagName !== 'BUTTON') { event.preventDefault(); play(!timer); }
  });
  show(opening());
};
begin();
)js";

}  // namespace

std::string trace_script() {
  std::string script(kBegin);
  script += trace_values_script();
  script += trace_graph_script();
  script += trace_memory_script();
  script += kEnd;
  return script;
}

}  // namespace npq::report
