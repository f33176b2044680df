/** Facts about a company: listing, analysts and insiders. */

import type {
  AnalystConsensus,
  InsiderSummary,
  Quote,
  SymbolDetails,
} from '../../../clients/typescript/operations.js';
import { html } from '../parts/html.ts';
import { compactText, dollarsText, percentText, priceText } from '../parts/numbers.ts';
import { FailureBox, Skeleton } from '../parts/states.ts';
import { dayText } from '../parts/times.ts';
import { getJson } from '../state/request.ts';
import { type Requested, useRequest } from '../state/use-request.ts';

const countries = new Intl.DisplayNames('en', { type: 'region' });

function countryText(code: string): string {
  try {
    return countries.of(code) ?? code;
  } catch {
    return code;
  }
}

function Rows({
  rows,
}: {
  rows: readonly (readonly [name: string, value: string | false | null | undefined])[];
}) {
  return html`<dl class="facts-list">${rows
    .filter(([, value]) => value)
    .map(([name, value]) => html`<div key=${name}><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}

function daysText({ firstBar, lastBar }: SymbolDetails['intervals'][number]): string {
  return `${dayText(firstBar)} to ${dayText(lastBar)}`;
}

export function Facts({ value: details, failure, retry }: Requested<SymbolDetails>) {
  if (failure)
    return html`<${FailureBox} failure=${failure} retry=${retry} subject="the company" />`;
  if (!details) return html`<${Skeleton} label="the company" lines=${6} />`;
  const daily = details.intervals.find(({ interval }) => interval === '1d');
  // Intervals ascend, so the first one is the finest.
  const [finest] = details.intervals;
  const former = details.formerTickers.map(
    ({ ticker, lastDate }) => `${ticker} until ${dayText(lastDate)}`,
  );
  return html`<section class="panel" aria-labelledby="company-title">
    <header class="panel-head"><h2 id="company-title">Company</h2></header>
    <${Rows} rows=${[
      ['Name', details.companyName],
      ['Sector', details.sector],
      ['Industry', details.industry],
      ['Country', details.country && countryText(details.country)],
      ['Listed on', details.exchange],
      ['Kind', details.type],
      ['SEC number (CIK)', details.cik?.toString()],
      ['Formerly', former.join(', ')],
      ['Daily bars', daily && daysText(daily)],
      ['Intraday bars', finest !== daily && `${finest.interval}, ${daysText(finest)}`],
      ['Source of the bars', (daily ?? finest)?.source],
    ]} />
  </section>`;
}

interface AnalystsProps {
  symbol: string;
  /** Undefined until it is known. */
  isCovered: boolean | undefined;
  quote: Quote | undefined;
}

export function Analysts({ symbol, isCovered, quote }: AnalystsProps) {
  const requested = useRequest(symbol, isCovered ? symbol : undefined, (signal) =>
    getJson<AnalystConsensus>(`v1/svc/analyst-consensus/${encodeURIComponent(symbol)}`, {}, signal),
  );
  const { value, failure, retry } = requested;
  const body = () => {
    if (isCovered === false) return html`<p class="quiet">No ratings by analysts are known.</p>`;
    if (failure)
      return html`<${FailureBox} failure=${failure} retry=${retry} subject="the analysts" />`;
    if (!value) return html`<${Skeleton} label="the analysts" lines=${3} />`;
    const { consensus, totalAnalysts, targetLow, targetMean, targetHigh } = value;
    const upside = quote && targetMean !== null ? (targetMean / quote.price - 1) * 100 : undefined;
    const counts = [
      ['Buy', value.buy, 'up'],
      ['Hold', value.hold, 'level'],
      ['Sell', value.sell, 'down'],
    ] as const;
    return html`<div class="ratings-bar" aria-hidden="true">${counts.map(([name, count, tone]) =>
      count ? html`<span key=${name} class=${tone} style=${{ flexGrow: count }} />` : null,
    )}</div>
    <${Rows} rows=${[
      [
        'Consensus',
        consensus && `${consensus}${totalAnalysts ? `, ${totalAnalysts} analysts` : ''}`,
      ],
      ['Buy · hold · sell', counts.map(([, count]) => count ?? '–').join(' · ')],
      [
        'Mean target',
        targetMean === null
          ? null
          : `${priceText(targetMean)} USD${upside === undefined ? '' : ` (${percentText(upside, true)})`}`,
      ],
      [
        'Lowest to highest',
        targetLow === null ? null : `${priceText(targetLow)} – ${priceText(targetHigh)} USD`,
      ],
    ]} />`;
  };
  return html`<section class="panel" aria-labelledby="analysts-title">
    <header class="panel-head"><h2 id="analysts-title">Analysts</h2></header>${body()}
  </section>`;
}

function signText(value: number): string {
  return value > 0 ? '+' : value < 0 ? '−' : '';
}

/** Net purchases: shares and dollars, negative when more was sold. */
function netText(shares: number | null, dollars: number | null): string {
  // A word joiner keeps the sign on the line of its number.
  const text = (net: number | null, of: (size: number) => string) =>
    net === null ? 'unknown' : `${signText(net)}\u2060${of(Math.abs(net))}`;
  return `${text(shares, compactText)} shares, ${text(dollars, dollarsText)}`;
}

interface InsidersProps {
  symbol: string;
  /** Undefined until it is known. */
  hasTrades: boolean | undefined;
}

export function Insiders({ symbol, hasTrades }: InsidersProps) {
  const requested = useRequest(symbol, hasTrades ? symbol : undefined, (signal) =>
    getJson<InsiderSummary>(`v1/svc/insider/${encodeURIComponent(symbol)}/summary`, {}, signal),
  );
  const { value, failure, retry } = requested;
  const body = () => {
    if (hasTrades === false) return html`<p class="quiet">No insider trades are known.</p>`;
    if (failure)
      return html`<${FailureBox} failure=${failure} retry=${retry} subject="insider trades" />`;
    if (!value) return html`<${Skeleton} label="insider trades" lines=${3} />`;
    return html`<${Rows} rows=${[
      ['Net, 30 days', netText(value.netShares30d, value.netValue30d)],
      ['Net, 90 days', netText(value.netShares90d, value.netValue90d)],
      ['Trades, 90 days', `${value.buyCount90d} bought, ${value.sellCount90d} sold`],
    ]} />`;
  };
  return html`<section class="panel" aria-labelledby="insiders-title">
    <header class="panel-head"><h2 id="insiders-title">Insiders</h2></header>${body()}
  </section>`;
}
