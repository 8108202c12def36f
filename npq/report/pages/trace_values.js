// Predictions beside the truth: the hints of a step, the answer, the true queue.
const short = v => typeof v !== 'number' || Number.isInteger(v) ? number(v) : Math.abs(v) < 100 ? v.toFixed(2) : v.toFixed(0);
const one = (probe, value) => {  // one value of a probe as text; - where the algorithm leaves it open
  if (!Array.isArray(value)) return probe.type !== 'scalar' && value < 0 ? '-' : short(value);
  return value.includes(-1) ? '-' : String(value.indexOf(Math.max(...value)));
};
const single = probe => probe.type === 'mask_one' || probe.location === 'graph';
const cells = (probe, frame) => {
  if (single(probe)) return [{text: one(probe, frame), value: frame}];
  return frame.map(value => ({text: one(probe, value), value}));
};
// Said and true side by side. Scalars may be 0.1 away; what the algorithm leaves open is right.
const compare = (probe, said, right) => {
  const truths = cells(probe, right);
  return cells(probe, said).map((cell, i) => ({text: cell.text, truth: truths[i].text,
    wrong: probe.type === 'scalar' ? cell.value === null || !(Math.abs(cell.value - truths[i].value) <= .1) : truths[i].text !== '-' && cell.text !== truths[i].text}));
};
const told = (part, {text, truth, wrong}) => {
  part.append(text);
  if (wrong) { part.classList.add('wrong-value'); part.append(' ', make('span', 'true-value', `(${truth})`)); }
  return part;
};

// Hints: a row for each node, a line for what the graph has one of. Those of edges are too many.
const shown = trace.probes.filter(p => p.stage === 'hint' && p.location !== 'edge' && (trace.hints || {})[p.name]);
const hints = k => {
  const columns = [], lines = make('p', 'facts');
  for (const probe of shown) {
    const compared = compare(probe, trace.hints[probe.name].predicted[k], trace.hints[probe.name].true[k]);
    if (!single(probe)) { columns.push([probe.name, compared]); continue; }
    const fact = make('span');
    fact.append(make('b', '', probe.name), ' ', told(make('span'), compared[0]));
    lines.append(fact);
  }
  const part = (from, to) => {
    const table = make('table', 'small'), head = make('tr');
    head.append(make('th', '', 'node'), ...columns.map(([name]) => make('th', '', name)));
    table.append(head);
    for (let i = from; i < to; ++i) {
      const row = make('tr');
      row.append(make('th', '', i), ...columns.map(([, compared]) => told(make('td'), compared[i])));
      table.append(row);
    }
    return table;
  };
  fill($('hints'), columns.length ? blocks(part) : '', lines);
};

// The answer: all outputs, and the verdict in the heading.
const answer = () => {
  const verdict = [], lists = [];
  for (const probe of trace.probes.filter(p => p.stage === 'output' && (trace.outputs || {})[p.name])) {
    const both = trace.outputs[probe.name], rows = probe.location === 'edge' ? both.predicted.map((_, i) => i) : null;
    const compared = rows ? rows.flatMap(i => compare({...probe, location: 'node'}, both.predicted[i], both.true[i])) : compare(probe, both.predicted, both.true);
    const right = compared.filter(c => !c.wrong).length, of = rows ? 'pairs of nodes' : 'nodes';
    verdict.push(single(probe) ? `${probe.name} is ${right ? 'right' : 'wrong'}` : `${probe.name} is right for ${right} of ${compared.length} ${of}`);
    if (rows) continue;
    const list = make('ul', 'chips');
    compared.forEach((c, i) => {
      const item = make('li', c.wrong ? '' : 'right');
      item.append(make('b', '', single(probe) ? probe.name : i), probe.type === 'pointer' ? ' → ' : ' ');
      list.append(told(item, c));
    });
    if (!single(probe)) lists.push(make('p', 'soft', probe.type === 'pointer' ? `${probe.name}: node → the node it points to` : `${probe.name}, by node`));
    lists.push(list);
  }
  hide('answer-panel', lists.length === 0);
  fill($('answer'), ...lists);
  if (!verdict.length) return;
  if (trace.valid) verdict.push(`${trace.valid.filter(v => v).length} of ${trace.valid.length} nodes have a parent that solves the task, be it the algorithm's or not`);
  $('verdict').textContent = `The answer after the last step: ${verdict.join('; ')}.${typeof trace.score === 'number' ? ` Score of this sample: ${percent(trace.score)}.` : ''}`;
};

// The true queue: what the step finds.
const truth = step => {
  const list = make('ol', 'chips queue');
  step.queue.forEach((node, i) => {
    const item = make('li', step.entered.includes(node) ? 'entered' : '', node);
    if (step.keys) item.append(' ', make('span', 'true-value', `${trace.key} ${short(step.keys[i])}`));
    list.append(item);
  });
  return step.queue.length ? list : make('p', 'soft', 'empty');
};
const agreement = a => {
  const note = `The next to leave comes first${trace.key ? `, with its ${trace.key}` : ''}; marked: just entered, or with a new key. `;
  if (!memoryAt(0)) return `${note}There is no memory to compare with it.`;
  if (a.compared || a.correlated)
    return `${note}The slot with most attention is that of the next node to leave in ${a.top === null ? 'none' : percent(a.top)} of ${a.compared} comparable steps; rank correlation of attention with the order of leaving: ${a.correlation === null ? 'none' : number(a.correlation)} (${a.correlated} steps).`;
  if (!memoryAt(0).after)
    return `${note}This memory cannot be compared with it: ${seenAt(0).attention ? 'each of its slots may hold something of all steps' : 'it has no attention to slots'}.`;
  if (trace.steps.every((_, k) => full(k - 1).filter(Boolean).length < 2))
    return `${note}Attention cannot be compared with it: the neural queue is emptied in every step, so there are never two elements to choose from.`;
  return `${note}Attention cannot be compared with it: the next node to leave never has a slot of its own beside others.`;
};
