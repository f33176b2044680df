/** The filters apart from the condition: ranges, lists, and the day of the newest bar. */

import { useState } from 'preact/hooks';
import { type FieldUnit, quoteField, SCREENER_FILTERS, SCREENER_TEXTS } from '../../base/fields.ts';
import { html } from '../parts/html.ts';
import { isoDay } from '../parts/times.ts';
import { go } from '../state/address.ts';
import { titleOf } from './columns.ts';
import type { Screen } from './screen-address.ts';

const FACTORS: Readonly<Record<string, number>> = {
  '': 1,
  '%': 0.01,
  k: 1e3,
  m: 1e6,
  b: 1e9,
  t: 1e12,
};

/** Reads `2B`, `1,500` and `3%`. @returns the text itself if it is no number. */
export function numberFromText(text: string): string {
  const parts = /^(-?[\d,]*\.?\d+)\s*([kmbt%]?)$/i.exec(text.trim());
  if (!parts) return text.trim();
  const value = Number(parts[1].replaceAll(',', '')) * FACTORS[parts[2].toLowerCase()];
  // Twelve digits hide what binary fractions add.
  return String(Number(value.toPrecision(12)));
}

/** Hints for a smallest value, by unit; default `from`. */
const HINTS: Readonly<Partial<Record<FieldUnit, string>>> = {
  usd: 'from 2B',
  shares: 'such as 500K',
  fraction: 'such as 3%',
};

const LISTS: Readonly<Record<string, string>> = {
  sector: 'technology, energy',
  industry: 'semiconductors',
  country: 'US, CA',
  exchange: 'NYSE, NASDAQ',
  symbols: 'at most 2000 tickers',
};

/** Returns the day a week before the screen's, the longest that a market is closed. */
function weekBefore(asOf: string | undefined): string {
  return isoDay((asOf === undefined ? Date.now() : Date.parse(asOf)) - 7 * 86_400_000);
}

/** A field that changes the address when it is left, or at Enter. */
function FilterInput(props: {
  name: string;
  label: string;
  value: string;
  hint?: string;
  type?: string;
}) {
  const { name, label, value, hint = '', type = 'text' } = props;
  const isRange = /_(min|max)$/.test(name);
  const change = (event: Event) => {
    const typed = (event.target as HTMLInputElement).value;
    const next = isRange ? numberFromText(typed) : typed.trim().replace(/\s*,\s*/g, ',');
    go({ [name]: next || undefined });
  };
  return html`<input type=${type} aria-label=${label} value=${value} placeholder=${hint} autocomplete="off"
    inputmode=${isRange ? 'text' : undefined} onChange=${change} />`;
}

export function FiltersButton({
  screen,
  isOpen,
  onToggle,
}: {
  screen: Screen;
  isOpen: boolean;
  onToggle: () => void;
}) {
  const count = Object.keys(screen.filters).length;
  return html`<button type="button" aria-expanded=${isOpen} aria-controls="filters" onClick=${onToggle}>
    Filters${count > 0 && html` <span class="count">${count}</span>`}</button>`;
}

export function FiltersPanel({ screen }: { screen: Screen }) {
  const { filters } = screen;
  const [edition, setEdition] = useState(0);
  const clear = () => {
    go(Object.fromEntries(Object.keys(filters).map((name) => [name, undefined])));
    setEdition(edition + 1);
  };
  const ranges = SCREENER_FILTERS.map(({ name, column, max }) => {
    const title = titleOf(name).replace(/, USD$/, '');
    return html`<fieldset key=${name}>
      <legend>${name === 'change_pct' ? `${title}, %` : titleOf(name)}</legend>
      <div class="range">
        <${FilterInput} name=${`${name}_min`} label=${`${title}, smallest`} value=${filters[`${name}_min`] ?? ''} hint=${HINTS[quoteField(column).unit!] ?? 'from'} />
        ${max !== undefined && html`<span aria-hidden="true">–</span><${FilterInput} name=${`${name}_max`} label=${`${title}, largest`} value=${filters[`${name}_max`] ?? ''} hint="to" />`}
      </div></fieldset>`;
  });
  const lists = [...SCREENER_TEXTS, 'symbols'].map((name) => {
    const title = titleOf(name);
    return html`<fieldset key=${name}><legend>${name === 'symbols' ? 'Only these symbols' : title}</legend>
      <${FilterInput} name=${name} label=${title} value=${filters[name] ?? ''} hint=${LISTS[name]} /></fieldset>`;
  });
  return html`<div id="filters" class="filters" role="group" aria-label="Filters" key=${edition}>
    ${ranges}${lists}
    <fieldset><legend>Newest bar since</legend><div class="range">
      <${FilterInput} name="active_since" type="date" label="Newest bar since" value=${filters.active_since ?? ''} />
      <button type="button" title="Leaves out symbols that no longer trade" onClick=${() => go({ active_since: weekBefore(screen.asOf) })}>Last week</button>
    </div></fieldset>
    <button type="button" disabled=${Object.keys(filters).length === 0} onClick=${clear}>Clear the filters</button>
  </div>`;
}
