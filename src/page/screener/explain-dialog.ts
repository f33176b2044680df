/** Shows for one symbol which conditions hold, with the values that decide. */

import { useEffect, useRef, useState } from 'preact/hooks';
import type { ScreenCondition, ScreenerPage } from '../../../clients/typescript/operations.js';
import { html } from '../parts/html.ts';
import { valueText } from '../parts/numbers.ts';
import { FailureBox, Skeleton, StateBox } from '../parts/states.ts';
import { getJson } from '../state/request.ts';
import { useRequest } from '../state/use-request.ts';
import { type Screen, screenQuery } from './screen-address.ts';

interface ExplainProps {
  screen: Screen;
  /** Empty to begin with the field for a symbol. */
  symbol: string;
  onClose: () => void;
}

export function ExplainDialog({ screen, symbol: first, onClose }: ExplainProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [symbol, setSymbol] = useState(first);
  const [typed, setTyped] = useState(first);
  useEffect(() => {
    dialog.current?.showModal();
    if (first === '') dialog.current?.querySelector('input')?.focus();
  }, []);
  // The other filters stay out: they would hide the row that is to be explained.
  const { where, as_of } = screenQuery(screen);
  const query = { where, as_of, symbols: symbol, explain: 'true' };
  const { value, failure, retry } = useRequest(
    symbol,
    symbol === '' ? undefined : JSON.stringify(query),
    (signal) => getJson<ScreenerPage>('v1/svc/screener', query, signal),
  );
  const row = value?.data[0];
  const submit = (event: Event) => {
    event.preventDefault();
    setSymbol(typed.trim().toUpperCase());
  };
  const title = row ? `${row.symbol} ${resultText(row.matches)}` : 'Why a symbol matches or not';
  const body = () => {
    if (symbol === '')
      return html`<p class="quiet">Type a ticker to see each condition and its values.</p>`;
    if (failure)
      return html`<${FailureBox} failure=${failure} retry=${retry} subject="the reasons" />`;
    if (!value) return html`<${Skeleton} label="the reasons" lines=${3} />`;
    if (!row)
      return html`<${StateBox} title=${`${symbol} has no row`}><p>No quote of this symbol is published.</p><//>`;
    return html`<ul class="reasons">${(row.conditions ?? []).map(
      (one, i) => html`<${Reason} key=${i} condition=${one} />`,
    )}</ul>`;
  };
  return html`<dialog ref=${dialog} class="dialog" aria-labelledby="explain-title" onClose=${onClose}
      onClick=${(event: MouseEvent) => event.target === dialog.current && onClose()}>
    <header class="dialog-head"><h2 id="explain-title">${title}</h2>
      <button type="button" class="plain" aria-label="Close" onClick=${onClose}>×</button></header>
    ${body()}
    <form class="row explain-other" onSubmit=${submit}>
      <label for="explain-symbol">${symbol === '' ? 'Symbol' : 'Another symbol'}</label>
      <input id="explain-symbol" autocomplete="off" spellcheck=${false} value=${typed}
        onInput=${(event: Event) => setTyped((event.target as HTMLInputElement).value)} />
      <button type="submit">Explain</button>
    </form>
  </dialog>`;
}

function resultText(matches: boolean | null | undefined): string {
  if (matches === true) return 'matches';
  return matches === false ? 'does not match' : 'does not match: a value is unknown';
}

const MARKS = { true: ['✓', 'holds', 'up'], false: ['✕', 'does not hold', 'down'] } as const;

function Reason({ condition }: { condition: ScreenCondition }) {
  const { condition: text, result, values } = condition;
  const [mark, label, tone] =
    result === null ? ['?', 'is unknown', 'stale'] : MARKS[`${result}` as keyof typeof MARKS];
  const rows = Object.entries(values).map(
    ([name, value]) => html`<div key=${name}><dt><code>${name}</code></dt>
      <dd class="figure">${typeof value === 'number' ? valueText(value) : value === null ? 'unknown' : String(value)}</dd></div>`,
  );
  return html`<li>
    <span class=${`reason-mark ${tone}`} aria-hidden="true">${mark}</span>
    <div><p><code>${text}</code> <span class=${tone}>${label}</span></p><dl>${rows}</dl></div>
  </li>`;
}
