// The readout of the charts: the nearest point of every line to where the pointer is, or the arrow keys; and tables that are wider than
// their place. All else on the page works without it. Texts go in as textContent, never as markup.
'use strict';
for (const chart of document.querySelectorAll('.chart')) {
  const data = JSON.parse(chart.querySelector('script').textContent);
  const svg = chart.querySelector('svg'), guide = chart.querySelector('.guide'), box = chart.querySelector('.readout');
  const xs = [...new Set(data.series.flatMap(s => s.points.map(p => p[0])))].sort((a, b) => a - b);
  const scale = v => data.doubling ? Math.log2(v) : v;
  let at = 0;
  const text = (tag, content, style) => {
    const part = document.createElement(tag);
    part.textContent = content;
    if (style) part.className = style;
    return part;
  };
  const number = v => Math.abs(v) >= 1000 ? v.toFixed(0) : String(Number(v.toPrecision(4)));
  const nearest = (values, x) => {
    let best = 0;
    values.forEach((v, i) => { if (Math.abs(v - x) < Math.abs(values[best] - x)) best = i; });
    return best;
  };
  const show = index => {
    at = Math.max(0, Math.min(xs.length - 1, index));
    const x = data.left + (scale(xs[at]) - data.low) / (data.high - data.low) * (data.right - data.left);
    guide.setAttribute('x1', x);
    guide.setAttribute('x2', x);
    guide.setAttribute('visibility', 'visible');
    box.replaceChildren(text('b', data.x + ' ' + number(xs[at])));
    for (const line of data.series) {
      if (!line.points.length) continue;
      const [px, y, spread] = line.points[nearest(line.points.map(p => p[0]), xs[at])];
      const row = document.createElement('div');
      row.append(text('span', '\u25cf ', 'swatch ' + line.style), text('b', number(y) + (spread > 0 ? ' \u00b1 ' + number(spread) : '')),
                 text('span', ' ' + line.label + (px === xs[at] ? '' : ' (at ' + number(px) + ')')));
      box.append(row);
    }
    box.style.display = 'block';
    const zoom = svg.clientWidth / svg.viewBox.baseVal.width, inner = chart.clientWidth - box.offsetWidth;
    const right = svg.offsetLeft || 0;
    const place = x * zoom + right + (x * 2 < data.left + data.right ? 24 : -box.offsetWidth);
    box.style.left = Math.max(0, Math.min(inner, place)) + 'px';
  };
  const hide = () => { box.style.display = 'none'; guide.setAttribute('visibility', 'hidden'); };
  const follow = event => {
    const area = svg.getBoundingClientRect();
    const x = (event.clientX - area.left) / area.width * svg.viewBox.baseVal.width;
    show(nearest(xs.map(scale), data.low + (x - data.left) / (data.right - data.left) * (data.high - data.low)));
  };
  if (!xs.length) continue;
  svg.addEventListener('pointermove', follow);
  svg.addEventListener('pointerdown', follow);
  svg.addEventListener('pointerleave', hide);
  chart.addEventListener('blur', hide);
  chart.addEventListener('keydown', event => {
    if (event.key === 'ArrowRight') show(at + 1);
    else if (event.key === 'ArrowLeft') show(at - 1);
    else if (event.key === 'Escape') return hide();
    else return;
    event.preventDefault();
  });
}
// Where a table is wider than its place, a line below it says so until its end is seen.
for (const table of document.querySelectorAll('.scroll')) {
  const look = () => table.classList.toggle('more', table.scrollLeft + table.clientWidth < table.scrollWidth - 1);
  table.addEventListener('scroll', look);
  addEventListener('resize', look);
  look();
}
addEventListener('beforeprint', () => document.querySelectorAll('details').forEach(d => { d.open = true; }));
