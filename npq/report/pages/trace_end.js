// Moves through time.
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
