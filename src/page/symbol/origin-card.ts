/** The origin of a bar: its source, its prices on each basis, and what lies between them. */

import type { CandleOrigin } from '../../../clients/typescript/operations.js';
import { Card } from '../parts/card.ts';
import { html } from '../parts/html.ts';
import { countText, priceText } from '../parts/numbers.ts';
import { FailureBox, Skeleton } from '../parts/states.ts';
import { dayOrMomentText, dayText, isoDay } from '../parts/times.ts';
import { isLive } from '../state/key.ts';
import { getJson } from '../state/request.ts';
import { useRequest } from '../state/use-request.ts';
import type { ChartAddress } from './chart-address.ts';
import { intervalTitle } from './toolbar.ts';

const ACTIONS_SHOWN = 6;

const BASIS_TITLES = {
  raw: 'As traded',
  split: 'Split-adjusted',
  all: 'And dividends',
} as const;

/** Sentences on the prices of a source where no list of splits is whole. */
const UNKNOWN_ACTIONS = {
  raw: 'No source has all its splits, so only traded prices are known.',
  split:
    'Its source adjusts prices for splits. No source lists all splits, so other bases are unknown.',
  all: 'Its source adjusts prices for splits and dividends. No source lists all splits, so other bases are unknown.',
} as const;

const COLUMNS = [
  ['open', 'Open'],
  ['high', 'High'],
  ['low', 'Low'],
  ['close', 'Close'],
  ['volume', 'Volume'],
] as const;

interface OriginProps {
  chart: ChartAddress;
  /** Start of the bar. */
  timeMs: number;
  /** The bar's day or moment, as the legend has it. */
  title: string;
  left: number;
  onClose: () => void;
}

export function OriginCard({ chart, timeMs, title, left, onClose }: OriginProps) {
  const { symbol, interval } = chart;
  const at = new Date(timeMs).toISOString();
  const origin = useRequest(`${symbol} ${interval} ${at}`, at, (signal) =>
    getJson<CandleOrigin>(
      `v1/svc/candles/${encodeURIComponent(symbol)}/origin`,
      { at, interval },
      signal,
    ),
  );
  const { value, failure, retry } = origin;
  return html`<${Card} label="Origin of the bar" kind="origin" left=${left} onClose=${onClose}>
    <h2>${title}</h2>
    ${failure && html`<${FailureBox} failure=${failure} retry=${retry} subject="the origin" />`}
    ${!value && !failure && html`<${Skeleton} label="the origin" lines=${4} />`}
    ${value && html`<${Facts} origin=${value} />`}
    ${
      interval === '1d' &&
      html`<p class="quiet">The file, and other bars of this day that are not served:</p>
      <p><code>npx tapeworks explain ${symbol} ${isoDay(timeMs)}${isLive() ? '' : ' --mode sandbox'}</code></p>`
    }
  <//>`;
}

function Facts({ origin }: { origin: CandleOrigin }) {
  const { source, interval, sourceInterval, sourceBasis, asOf, prices } = origin;
  const heads = prices.map(
    ({ adjustment }) => html`<th scope="col" key=${adjustment}>
      ${titleOf(adjustment, prices)}${adjustment === sourceBasis ? ' *' : ''}</th>`,
  );
  const rows = COLUMNS.map(
    ([name, title]) => html`<tr key=${name}><th scope="row">${title}</th>
      ${prices.map((bar) => html`<td key=${bar.adjustment}>${name === 'volume' ? countText(bar.volume) : priceText(bar[name])}</td>`)}
    </tr>`,
  );
  const made =
    interval === sourceInterval ? '' : `, made from bars of ${intervalTitle(sourceInterval)}`;
  return html`<p>Source <strong>${source}</strong>${made}${asOf && html`, as of ${dayOrMomentText(asOf)}`}</p>
    <table class="data">
      <caption class="unseen">The bar on each basis, in US dollars and shares</caption>
      <thead><tr><th scope="col" class="text">USD</th>${heads}</tr></thead>
      <tbody>${rows}</tbody>
    </table>
    <p class="quiet">* as its source gives it</p>
    <${Actions} origin=${origin} />`;
}

/** `And dividends` continues the column before it; alone it says what is in the prices. */
function titleOf(adjustment: keyof typeof BASIS_TITLES, prices: CandleOrigin['prices']): string {
  const isAlone = adjustment === 'all' && !prices.some((one) => one.adjustment === 'split');
  return isAlone ? 'Adjusted for splits and dividends' : BASIS_TITLES[adjustment];
}

function daysText({ from, to }: { from: string; to: string }): string {
  return `from ${dayText(from)} to ${dayText(to)}`;
}

function Actions({
  origin: { actionsSince, actionCoverage, sourceBasis },
}: {
  origin: CandleOrigin;
}) {
  if (!actionCoverage) return html`<p>${UNKNOWN_ACTIONS[sourceBasis]}</p>`;
  const { from, to, dividends } = actionCoverage;
  const isSame = dividends?.from === from && dividends.to === to;
  const known = isSame
    ? `Known ${daysText({ from, to })}.`
    : `Splits are known ${daysText({ from, to })}, dividends ` +
      `${dividends ? daysText(dividends) : 'are not'}.`;
  if (actionsSince.length === 0) {
    return html`<p>No split or dividend since. <span class="quiet">${known}</span></p>`;
  }
  const shown = actionsSince.toReversed().slice(0, ACTIONS_SHOWN);
  const rest = actionsSince.length - shown.length;
  const items = shown.map(({ type, exDate, numerator, denominator, amount, currency }) => {
    const text =
      type === 'split'
        ? `split ${numerator} for ${denominator}`
        : `${type} of ${amount} ${currency} a share`;
    return html`<li key=${`${type} ${exDate}`}>${dayText(exDate)}: ${text}</li>`;
  });
  return html`<p>Splits and dividends since. <span class="quiet">${known}</span></p>
    <ul>${items}</ul>
    ${rest > 0 && html`<p class="quiet">and ${rest} earlier ones</p>`}`;
}
