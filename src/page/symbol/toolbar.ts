/** Controls of the chart: interval, range, adjustment and hours. */

import type { SymbolDetails } from '../../../clients/typescript/operations.js';
import {
  INTERVALS,
  type Interval,
  SESSION_CHOICES,
  type SessionChoice,
} from '../../base/time/intervals.ts';
import { type Children, html } from '../parts/html.ts';
import { go } from '../state/address.ts';
import {
  ADJUSTMENTS,
  type Adjustment,
  type ChartAddress,
  RANGES,
  type Range,
} from './chart-address.ts';
import { RANGE_ROWS, rangeForInterval } from './ranges.ts';

const ADJUSTMENT_TEXTS: Readonly<Record<Adjustment, string>> = {
  split: 'Split-adjusted',
  all: 'Fully adjusted',
  raw: 'As traded',
};

const SESSION_TEXTS: Readonly<Record<SessionChoice, string>> = {
  regular: 'Regular hours',
  extended: 'Extended hours',
  all: 'All hours',
};

const INTERVAL_TITLES: Readonly<Record<Interval, string>> = {
  '1m': '1 minute',
  '5m': '5 minutes',
  '15m': '15 minutes',
  '1h': '1 hour',
  '4h': '4 hours',
  '1d': '1 day',
  '1w': '1 week',
  '1M': '1 month',
};

export function intervalTitle(interval: Interval): string {
  return INTERVAL_TITLES[interval];
}

/** Returns true if the bars of an interval reach back as far as the range. */
function covers(details: SymbolDetails | undefined, interval: Interval, range: Range): boolean {
  const row = details?.intervals.find((one) => one.interval === interval);
  if (!row) return details === undefined;
  const { days } = RANGE_ROWS[range];
  if (!Number.isFinite(days) || range === '5y') return true;
  return Date.parse(row.lastBar) - Date.parse(row.firstBar) >= (days - 4) * 86_400_000;
}

interface ToolbarProps {
  chart: ChartAddress;
  /** Undefined until it is loaded. */
  details: SymbolDetails | undefined;
  children?: Children;
}

export function Toolbar({ chart, details, children }: ToolbarProps) {
  const has = (interval: Interval) =>
    details === undefined || details.intervals.some((one) => one.interval === interval);
  const chooseRange = (range: Range) => {
    const { intervals } = RANGE_ROWS[range];
    go({ range, interval: intervals.find((one) => covers(details, one, range)) ?? '1d' });
  };
  const intervals = INTERVALS.map((interval) => {
    const isThere = has(interval);
    const title = isThere ? INTERVAL_TITLES[interval] : `No bars of ${INTERVAL_TITLES[interval]}`;
    return html`<button type="button" key=${interval} class=${isThere ? '' : 'absent'} title=${title}
      aria-pressed=${chart.interval === interval}
      onClick=${() => go({ interval, range: rangeForInterval(chart.range, interval) })}>${interval}</button>`;
  });
  const ranges = RANGES.map((range) => {
    const { label, title } = RANGE_ROWS[range];
    return html`<button type="button" key=${range} title=${title}
      aria-pressed=${chart.range === range} onClick=${() => chooseRange(range)}>${label}</button>`;
  });
  const row = details?.intervals.find(({ interval }) => interval === chart.interval);
  const chosen = chart.adjustment ?? row?.defaultAdjustment ?? 'split';
  const options = ADJUSTMENTS.map((adjustment) => {
    const isThere = row === undefined || row.adjustments.includes(adjustment);
    return html`<option key=${adjustment} value=${adjustment} disabled=${!isThere}
      selected=${adjustment === chosen}>${ADJUSTMENT_TEXTS[adjustment]}</option>`;
  });
  const adjust = (event: Event) => go({ adjustment: (event.target as HTMLSelectElement).value });
  const isDaily = chart.interval === '1d' || chart.interval === '1w' || chart.interval === '1M';
  const sessions = SESSION_CHOICES.map((session) => {
    return html`<option key=${session} value=${session}
      selected=${session === chart.session}>${SESSION_TEXTS[session]}</option>`;
  });
  const chooseHours = (event: Event) => go({ session: (event.target as HTMLSelectElement).value });
  const hours = isDaily
    ? ''
    : html`<select aria-label="Hours" onChange=${chooseHours}>${sessions}</select>`;
  return html`<div class="toolbar">
    <div class="segments" role="group" aria-label="Interval">${intervals}</div>
    <div class="segments" role="group" aria-label="Range">${ranges}</div>
    <select aria-label="Price adjustment" onChange=${adjust}>${options}</select>
    ${hours}
    ${children}
  </div>`;
}
