/** Name, price and day of the symbol, and the age of its newest bar. */

import type { Quote, SymbolDetails } from '../../../clients/typescript/operations.js';
import { html } from '../parts/html.ts';
import { changeText, compactText, dollarsText, percentText, priceText } from '../parts/numbers.ts';
import { ageText, momentText } from '../parts/times.ts';

/** A bar older than this is not of the last session, whatever the weekend or holiday. */
const STALE_MS = 5 * 86_400_000;

interface HeaderProps {
  symbol: string;
  details: SymbolDetails | undefined;
  quote: Quote | undefined;
  /** Reason for which there is no quote; undefined while it loads. */
  absence: string | undefined;
}

function direction(change: number | null): string {
  if (change === null || change === 0) return 'level';
  return change > 0 ? 'up' : 'down';
}

function Price({ quote }: { quote: Quote }) {
  const { price, change, changePct, timestamp } = quote;
  const ageMs = Date.now() - Date.parse(timestamp);
  const tone = direction(change);
  const isStale = ageMs > STALE_MS;
  const arrow = { up: '▲', down: '▼', level: '' }[tone];
  return html`<div class="price">
    <p class="price-line">
      <span class="price-now">${priceText(price)}</span> <span class="unit">USD</span>
      <span class=${`change ${tone}`}>
        <span aria-hidden="true">${arrow}</span> ${changeText(change)} (${percentText(changePct, true)})
      </span>
    </p>
    <p class=${isStale ? 'asof stale' : 'asof'}>
      ${isStale ? 'Old: ' : 'At '}<time dateTime=${timestamp}>${momentText(timestamp)}</time>${
        isStale && `, ${ageText(ageMs)} ago`
      }
    </p>
  </div>`;
}

/** Says when and why a security was delisted, and who took it over. */
function delistingText({ delistedOn, delistedReason, successor }: SymbolDetails): string {
  const reason = delistedReason === null ? '' : ` (${delistedReason})`;
  const taker = successor === null ? '' : ` ${successor} took it over.`;
  return `Delisted${reason}; the last trading day was ${delistedOn}.${taker}`;
}

export function QuoteHeader({ symbol, details, quote, absence }: HeaderProps) {
  const facts = [details?.exchange, details?.type, details?.sector].filter(Boolean).join(' · ');
  const figures = quote && [
    ['Open', priceText(quote.dayOpen)],
    ['Day range', `${priceText(quote.dayLow)} – ${priceText(quote.dayHigh)}`],
    ['Previous close', priceText(quote.previousClose)],
    ['Volume', compactText(quote.volume)],
    ['Market cap', dollarsText(quote.marketCap)],
  ];
  return html`<header class="quote">
    <div class="names">
      <h1><span class="ticker">${symbol}</span> <span class="company">${details?.companyName}</span></h1>
      <p class="quiet facts">${facts || '\u00a0'}</p>
      ${details?.parent && html`<p class="quiet">Spun off from ${details.parent}</p>`}
      ${details?.delistedOn && html`<p class="asof stale">${delistingText(details)}</p>`}
    </div>
    ${
      quote
        ? html`<${Price} quote=${quote} />`
        : html`<div class=${absence ? 'price quiet' : 'price bone-price'}>${absence}</div>`
    }
    <dl class="figures">
      ${(figures ?? []).map(
        ([name, value]) => html`<div key=${name}><dt>${name}</dt><dd>${value}</dd></div>`,
      )}
    </dl>
  </header>`;
}
