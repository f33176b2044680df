/**
 * Script of the reference page: it shows the snippets of one language at a time and adds buttons
 * that copy. Without it, the snippets of all languages are visible.
 */

export const SCRIPT = `
'use strict';
document.documentElement.classList.add('enhanced');
const wide = matchMedia('(min-width: 60rem)');
const contents = document.querySelector('nav.contents details');
if (contents) {
  contents.open = wide.matches;
  wide.addEventListener('change', () => { contents.open = wide.matches; });
  contents.addEventListener('click', (event) => {
    if (event.target.closest('a') && !wide.matches) contents.open = false;
  });
}
const groups = [...document.querySelectorAll('.snippets')];
function show(language) {
  for (const group of groups) {
    for (const snippet of group.querySelectorAll('.snippet')) {
      snippet.hidden = snippet.dataset.language !== language;
    }
    for (const tab of group.querySelectorAll('[role=tab]')) {
      const isChosen = tab.dataset.language === language;
      tab.setAttribute('aria-selected', String(isChosen));
      tab.tabIndex = isChosen ? 0 : -1;
    }
  }
  try { localStorage.setItem('language', language); } catch {}
}
function copyButton(find) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  button.textContent = 'Copy';
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(find().textContent);
    button.textContent = 'Copied';
    setTimeout(() => { button.textContent = 'Copy'; }, 1500);
  });
  return button;
}
groups.forEach((group) => {
  const snippets = [...group.querySelectorAll('.snippet')];
  const tabs = document.createElement('div');
  tabs.className = 'tabs';
  const list = document.createElement('div');
  list.className = 'tabs';
  list.setAttribute('role', 'tablist');
  list.setAttribute('aria-label', 'Language');
  for (const snippet of snippets) {
    const tab = document.createElement('button');
    tab.type = 'button';
    tab.textContent = snippet.querySelector('h4').textContent;
    tab.dataset.language = snippet.dataset.language;
    tab.setAttribute('role', 'tab');
    tab.setAttribute('aria-controls', snippet.id);
    tab.addEventListener('click', () => keepPlace(tab, () => show(tab.dataset.language)));
    list.append(tab);
    snippet.setAttribute('role', 'tabpanel');
  }
  list.addEventListener('keydown', (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const all = [...list.children];
    const next = all[(all.indexOf(event.target) + step + all.length) % all.length];
    next.focus();
    next.click();
  });
  tabs.append(list, copyButton(() => snippets.find((snippet) => !snippet.hidden).querySelector('code')));
  group.prepend(tabs);
});
/** Other snippets above change their height: what was clicked stays where it is. */
function keepPlace(element, change) {
  const before = element.getBoundingClientRect().top;
  change();
  scrollBy(0, element.getBoundingClientRect().top - before);
}
let remembered = null;
try { remembered = localStorage.getItem('language'); } catch {}
show(['curl', 'javascript', 'python'].includes(remembered) ? remembered : 'curl');
`;
