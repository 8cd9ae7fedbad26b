// The keys of the console. Everything works without this file.
//
// An element with data-hotkey is pressed, followed or focused by its key: "c" or "g b". "/" goes to the search field, j and
// k go from row to row, x ticks a row, and ? lists the keys of the page. Single keys can be switched off (WCAG 2.1.4);
// the browser remembers it.

const REMEMBERED = 'offertory.keys';
/** How long the second key of "g b" may take, in milliseconds. */
const PATIENCE_MS = 1_500;

const dialog = document.getElementById('keys');
const isOn = () => localStorage.getItem(REMEMBERED) !== 'off';
let first;

const hotkeys = () => [...document.querySelectorAll('[data-hotkey]')];
const rows = () => [...document.querySelectorAll('.rows tbody tr')].flatMap((row) => row.querySelector('a') ?? []);

/** The label of an element without its key. */
function labelOf(element) {
  const label = (element.labels?.[0] ?? element).cloneNode(true);
  for (const key of label.querySelectorAll('kbd')) key.remove();
  return label.textContent;
}

/** Shows the keys beside the labels while they are on. */
function markKeys() {
  document.documentElement.classList.toggle('without-keys', !isOn());
}

function listKeys() {
  const pairs = [
    ...hotkeys().map((element) => [element.dataset.hotkey, labelOf(element).trim()]),
    ...(rows().length > 0
      ? [
          ['j', 'Next row'],
          ['k', 'Row before'],
          ['Enter', 'Open the row'],
        ]
      : []),
    ...(document.querySelector('.rows .tick') === null ? [] : [['x', 'Tick the row']]),
    ['?', 'List the keys'],
  ];
  document.getElementById('keys-list').replaceChildren(
    ...pairs.flatMap(([keys, label]) => {
      const [term, definition] = [document.createElement('dt'), document.createElement('dd')];
      keys.split(' ').forEach((key, index) => {
        const kbd = document.createElement('kbd');
        kbd.textContent = key;
        term.append(...(index === 0 ? [kbd] : [' ', kbd]));
      });
      definition.textContent = label;
      return [term, definition];
    }),
  );
}

function showKeys() {
  listKeys();
  document.getElementById('keys-on').checked = isOn();
  dialog.showModal();
}

function moveRow(step) {
  const links = rows();
  const current = links.findIndex((link) => link.closest('tr').contains(document.activeElement));
  const next = current === -1 ? (step > 0 ? 0 : links.length - 1) : current + step;
  links[Math.min(Math.max(next, 0), links.length - 1)]?.focus();
}

/** Ticks the row with the focus, or the first one. */
function tickRow() {
  const row = document.activeElement.closest('.rows tbody tr') ?? document.querySelector('.rows tbody tr');
  const box = row?.querySelector('.tick');
  box?.focus();
  box?.click();
  return box !== null && box !== undefined;
}

function press(keys) {
  const element = hotkeys().find((one) => one.dataset.hotkey === keys && one.checkVisibility());
  if (element === undefined) return false;
  if (element.matches('input, select, textarea')) {
    element.focus();
    element.select?.();
  } else element.click();
  return true;
}

function isTyping({ target }) {
  return (
    target.isContentEditable ||
    (target.matches('input, select, textarea') && !target.matches('[type=checkbox], [type=radio]'))
  );
}

function handle(event) {
  if (!isOn() || dialog.open || isTyping(event) || event.ctrlKey || event.altKey || event.metaKey) return false;
  const { key } = event;
  if (first === 'g') {
    first = undefined;
    return press(`g ${key}`);
  }
  if (key === 'g') {
    first = key;
    setTimeout(() => (first = undefined), PATIENCE_MS);
    return true;
  }
  if (key === '?') return showKeys() ?? true;
  if (key === 'j' || key === 'k') return moveRow(key === 'j' ? 1 : -1) ?? true;
  // A key that is held acts once.
  if (event.repeat) return hotkeys().some((one) => one.dataset.hotkey === key) || key === 'x';
  return press(key) || (key === 'x' && tickRow());
}

// A form is sent once, however often its button is pressed, until its page is shown again.
const sent = new Set();
document.addEventListener('submit', (event) => {
  if (event.target.method !== 'post') return;
  if (sent.has(event.target)) event.preventDefault();
  sent.add(event.target);
});
globalThis.addEventListener('pageshow', () => sent.clear());

for (const button of document.querySelectorAll('[data-print]')) {
  button.hidden = false;
  button.addEventListener('click', () => globalThis.print());
}

for (const button of document.querySelectorAll('[data-tick-all]')) {
  button.hidden = false;
  button.addEventListener('click', () => {
    const boxes = [...document.querySelectorAll('.rows .tick')];
    const areTicked = boxes.every((box) => box.checked);
    for (const box of boxes) box.checked = !areTicked;
  });
}

// What a row says of its amount holds only until somebody changes the amount.
document.addEventListener('input', ({ target }) => {
  if (!target.matches('.cell input[inputmode=decimal]')) return;
  const row = target.closest('tr');
  row.classList.remove('marked');
  row.querySelector('.compared')?.remove();
});

// What the form before has done is said once, and not again when the page is reloaded.
const address = new URL(location.href);
if (address.searchParams.has('flash')) {
  address.searchParams.delete('flash');
  address.searchParams.delete('mac');
  globalThis.history.replaceState(null, '', address);
}

/** Shows the progress of work until it is done. A failed request is repeated: the service may just be starting again. */
function follow() {
  const shown = document.querySelector('[data-follow]');
  if (shown === null) return;
  setTimeout(
    async () => {
      try {
        const answer = await fetch(location.href, { headers: { Accept: 'text/html' } });
        if (answer.status < 500) {
          const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
          const next = page.querySelector('[data-follow]');
          if (next === null) return location.reload();
          // Only what has changed, so that screen readers say it once.
          for (const selector of ['progress', '[role=status]']) {
            const [before, after] = [shown.querySelector(selector), next.querySelector(selector)];
            if (before.outerHTML !== after.outerHTML) {
              for (const { name } of [...before.attributes])
                if (!after.hasAttribute(name)) before.removeAttribute(name);
              for (const { name, value } of after.attributes) before.setAttribute(name, value);
              before.replaceChildren(...after.childNodes);
            }
          }
        }
      } catch {
        // Tried again below.
      }
      follow();
    },
    Number(shown.dataset.follow) * 1_000,
  );
}
follow();

if (dialog !== null) {
  markKeys();
  document.addEventListener('keydown', (event) => {
    if (handle(event)) event.preventDefault();
  });
  document.getElementById('keys-on').addEventListener('change', ({ target }) => {
    localStorage.setItem(REMEMBERED, target.checked ? 'on' : 'off');
    markKeys();
  });
  const button = document.getElementById('show-keys');
  button.hidden = false;
  button.addEventListener('click', showKeys);
}
