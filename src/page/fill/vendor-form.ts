/** The form for symbols from a vendor. */

import { useState } from 'preact/hooks';
import { REQUESTED_SOURCES } from '../../base/sources.ts';
import { html } from '../parts/html.ts';

/** Body of `POST /svc/backfills`. */
export interface VendorOrder {
  source: string;
  dataset: string;
  symbols: string[];
  from?: string;
  to?: string;
}

const NAMES: Readonly<Record<string, string>> = {
  any: 'Best configured vendor',
  sec: 'SEC',
  form4: 'SEC, Form 4',
  eodhd: 'EODHD',
  fmp: 'FMP',
};

export function sourceName(id: string): string {
  return NAMES[id] ?? id[0].toUpperCase() + id.slice(1);
}

const DATASETS: Readonly<Record<string, string>> = {
  candles: 'Daily prices, splits and dividends',
  statements: 'Statements and facts of companies',
  insider: 'Insider transactions',
  analysts: 'Ratings and targets of analysts',
  expirations: 'Option expirations',
};

/** Choices by dataset, since people look for data first. */
const GROUPS = Object.entries(DATASETS).map(([dataset, title]) => ({
  title,
  choices: Object.keys(REQUESTED_SOURCES)
    .filter((source) => REQUESTED_SOURCES[source].includes(dataset))
    .map((source) => ({ value: `${source} ${dataset}`, text: sourceName(source) })),
}));

interface FormProps {
  symbol: string;
  /** Chosen at first; default the first choice. */
  source: string | undefined;
  isBusy: boolean;
  onSubmit: (order: VendorOrder) => void;
}

export function VendorForm({ symbol, source: wanted = 'any', isBusy, onSubmit }: FormProps) {
  const [text, setText] = useState(symbol);
  const [choice, choose] = useState(`${wanted} ${REQUESTED_SOURCES[wanted][0]}`);
  const [from, setFrom] = useState('');
  const [to, setTo] = useState('');
  const submit = (event: Event) => {
    event.preventDefault();
    const [source, dataset] = choice.split(' ');
    const symbols = text.split(/[\s,]+/).filter(Boolean);
    onSubmit({ source, dataset, symbols, ...(from && { from }), ...(to && { to }) });
  };
  const textOf = (event: Event) => (event.target as HTMLInputElement).value;
  const groups = GROUPS.map(
    ({ title, choices }) =>
      html`<optgroup key=${title} label=${title}>${choices.map(
        (one) => html`<option key=${one.value} value=${one.value}>${one.text}</option>`,
      )}</optgroup>`,
  );
  return html`<form class="fill-form" onSubmit=${submit}>
    <label><span>Symbols</span>
      <input type="text" required autocapitalize="characters" autocomplete="off" spellcheck=${false}
        placeholder="AAPL, MSFT" value=${text} onInput=${(event: Event) => setText(textOf(event))} /></label>
    <label><span>Source</span>
      <select value=${choice} onChange=${(event: Event) => choose(textOf(event))}>${groups}</select></label>
    <details>
      <summary>Only some days</summary>
      <div class="days">
        <label><span>First day</span><input type="date" value=${from} max=${to || undefined}
          onInput=${(event: Event) => setFrom(textOf(event))} /></label>
        <label><span>Last day</span><input type="date" value=${to} min=${from || undefined}
          onInput=${(event: Event) => setTo(textOf(event))} /></label>
      </div>
    </details>
    <p class="quiet">${
      choice.startsWith('any ')
        ? 'Each symbol comes from the first vendor that has it: Alpaca, Massive, Tiingo, EODHD, then Yahoo. Their keys are settings of the server.'
        : 'The server needs the key of this vendor in its settings.'
    }</p>
    <button type="submit" class="main" disabled=${isBusy}>${isBusy ? 'Sending…' : 'Load'}</button>
  </form>`;
}
