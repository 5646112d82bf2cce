'use strict';
// What can be clicked: which nest is shown, tabs, the list's filters, colours, and pictures of iterations in time.
const all = (selector, within = document) => [...within.querySelectorAll(selector)];

// Which nest is shown: the one after # in the address.
const nests = all('section'), items = all('nav li');
const links = () => items.filter(i => !i.hidden).map(i => i.firstElementChild);
const shown = () => nests.find(n => n.classList.contains('shown'));
const named = id => nests.find(n => n.id === id);
function show(id, moves) {
  const own = named(id) ?? shown() ?? named(links()[0]?.hash.slice(1)) ?? nests[0];
  if (!own) return;
  for (const n of nests) n.classList.toggle('shown', n === own);
  for (const item of items) {
    const link = item.firstElementChild;
    if (link.hash === '#' + own.id) link.setAttribute('aria-current', 'true');
    else link.removeAttribute('aria-current');
  }
  steps();
  draw(own);
  if (!moves || own.id !== id) return;
  own.querySelector('h2').focus({ preventScroll: true });
  own.scrollIntoView();
}
addEventListener('hashchange', () => show(location.hash.slice(1), true));
// The address does not change where the nest is shown already.
for (const item of items) item.firstElementChild.addEventListener('click', event => {
  const { hash } = event.currentTarget;
  if (hash !== location.hash) return;
  event.preventDefault();
  show(hash.slice(1), true);
});
// The nests before and behind it in the list, as it is filtered.
const beside = button => {
  const listed = links(), at = listed.findIndex(l => l.hasAttribute('aria-current'));
  return listed[at + Number(button.dataset.step)];
};
function steps() {
  for (const button of all('[data-step]')) button.hidden = !beside(button);
}
for (const button of all('[data-step]')) button.addEventListener('click', () => { location.hash = beside(button).hash; });

// The list's filters.
const filters = all('[data-show]'), loops = document.getElementById('loops'), find = document.getElementById('find');
function filter() {
  const fate = filters.find(f => f.getAttribute('aria-pressed') === 'true').dataset.show;
  const words = find.value.toLowerCase().split(/\s+/).filter(Boolean);
  for (const item of items) {
    const text = (item.dataset.file + ' ' + item.textContent).toLowerCase();
    const fits = (fate === 'all' || item.classList.contains(fate)) && (loops?.checked || !item.classList.contains('loop'));
    item.hidden = !fits || !words.every(w => text.includes(w));
  }
  for (const group of all('nav .file')) group.hidden = !group.querySelector('li:not([hidden])');
  document.getElementById('none').hidden = items.some(i => !i.hidden);
  steps();
}
for (const button of filters) button.addEventListener('click', () => {
  for (const other of filters) other.setAttribute('aria-pressed', String(other === button));
  filter();
});
loops?.addEventListener('change', filter);
find.addEventListener('input', filter);

// Tabs: by click, arrows, Home and End.
for (const list of all('[role="tablist"]')) {
  const tabs = all('[role="tab"]', list);
  const open = tab => {
    for (const t of tabs) {
      t.setAttribute('aria-selected', String(t === tab));
      t.tabIndex = t === tab ? 0 : -1;
      document.getElementById(t.getAttribute('aria-controls')).classList.toggle('open', t === tab);
    }
    draw(document.getElementById(tab.getAttribute('aria-controls')));
  };
  for (const tab of tabs) tab.addEventListener('click', () => open(tab));
  list.addEventListener('keydown', event => {
    const at = tabs.indexOf(event.target), last = tabs.length - 1;
    const to = { ArrowRight: at < last ? at + 1 : 0, ArrowLeft: at > 0 ? at - 1 : last, Home: 0, End: last }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    tabs[to].focus();
    open(tabs[to]);
  });
}

// Colours: as the system has them, light, dark.
const theme = document.getElementById('theme'), themes = ['system', 'light', 'dark'];
theme.addEventListener('click', () => {
  const next = themes[(themes.indexOf(document.documentElement.dataset.theme) + 1) % themes.length];
  document.documentElement.dataset.theme = next;
  theme.textContent = 'colours: ' + next;
});

// Iterations in time.
const SIDE = 14, MARGIN = 20;
const STOPS = [[68, 1, 84], [59, 82, 139], [33, 145, 140], [94, 201, 98], [253, 231, 37]];
function colour(part) {
  const at = part * (STOPS.length - 1), low = Math.min(Math.floor(at), STOPS.length - 2);
  return 'rgb(' + STOPS[low].map((c, i) => Math.round(c + (STOPS[low + 1][i] - c) * (at - low))).join(' ') + ')';
}
// The borders of tiles: the sides of squares whose neighbour is in another tile, or is none.
function borders(cells, numbers, place) {
  const of = new Map(cells.map(([i, j], n) => [i + ' ' + j, numbers[n]]));
  let path = '';
  cells.forEach(([i, j], n) => {
    const [x, y] = place(i, j), differs = (a, b) => of.get(a + ' ' + b) !== numbers[n];
    if (differs(i - 1, j)) path += `M${x} ${y}h${SIDE}`;
    if (differs(i, j - 1)) path += `M${x} ${y}v${SIDE}`;
    if (!of.has((i + 1) + ' ' + j)) path += `M${x} ${y + SIDE}h${SIDE}`;
    if (!of.has(i + ' ' + (j + 1))) path += `M${x + SIDE} ${y}v${SIDE}`;
  });
  return path;
}
function picture(svg, { cells, tiles }, [outer, inner]) {
  const ends = axis => [Math.min(...cells.map(c => c[axis])), Math.max(...cells.map(c => c[axis]))];
  const [top, bottom] = ends(0), [left, right] = ends(1);
  const place = (i, j) => [MARGIN + (j - left) * SIDE, MARGIN + (i - top) * SIDE];
  const width = MARGIN + (right - left + 1) * SIDE + 2, height = MARGIN + (bottom - top + 1) * SIDE + 2;
  svg.setAttribute('viewBox', `0 0 ${width} ${height}`);
  svg.setAttribute('width', width);
  svg.setAttribute('height', height);
  let text = `<text x="${MARGIN}" y="13" class="dim">loop ${inner + 1} →</text>`;
  text += `<text x="-${MARGIN}" y="13" class="dim" transform="rotate(-90)" text-anchor="end">← loop ${outer + 1}</text>`;
  cells.forEach(([i, j], n) => {
    const [x, y] = place(i, j);
    text += `<rect x="${x + 1}" y="${y + 1}" width="${SIDE - 2}" height="${SIDE - 2}" fill="${colour(n / Math.max(cells.length - 1, 1))}"><title>${i}, ${j}: number ${n + 1}</title></rect>`;
  });
  tiles.forEach((numbers, level) => { text += `<path class="tile ${level ? 'fine' : ''}" d="${borders(cells, numbers, place)}"/>`; });
  svg.innerHTML = text;
}
function orders(box) {
  const data = JSON.parse(box.querySelector('script').textContent);
  const which = box.querySelector('select'), slider = box.querySelector('input'), play = box.querySelector('.play');
  const both = ['before', 'after'].map(name => ({ name, svg: box.querySelector('svg.' + name) }));
  const time = () => {
    const part = slider.value / slider.max;
    for (const { svg } of both) {
      const cells = all('rect', svg), done = Math.round(part * cells.length);
      cells.forEach((cell, n) => {
        cell.classList.toggle('late', n >= done);
        cell.classList.toggle('now', n === done - 1 && done < cells.length);
      });
    }
    box.querySelector('output').textContent = slider.value + ' of ' + slider.max;
  };
  const choose = () => {
    const own = data[which.value];
    for (const { name, svg } of both) picture(svg, own[name], own.dims);
    box.querySelector('.at').textContent = own.at;
    box.querySelector('.domain').textContent = own.domain;
    slider.max = own.after.cells.length;
    slider.value = slider.max;
    time();
  };
  let timer;
  const stop = () => { clearInterval(timer); timer = undefined; play.setAttribute('aria-pressed', 'false'); play.textContent = 'play'; };
  play.addEventListener('click', () => {
    if (timer) return stop();
    if (slider.value === slider.max) slider.value = 0;
    play.setAttribute('aria-pressed', 'true');
    play.textContent = 'stop';
    timer = setInterval(() => { slider.value = Number(slider.value) + 1; time(); if (slider.value === slider.max) stop(); }, 40);
  });
  which.addEventListener('change', () => { stop(); choose(); });
  slider.addEventListener('input', () => { stop(); time(); });
  choose();
}
// Pictures are drawn when they are first seen.
function draw(within) {
  for (const box of all('.orders:not(.drawn)', within)) {
    if (!box.offsetParent) continue;
    box.classList.add('drawn');
    orders(box);
  }
}
addEventListener('beforeprint', () => { for (const box of all('.orders:not(.drawn)')) { box.classList.add('drawn'); orders(box); } });

filter();
show(location.hash.slice(1), false);
