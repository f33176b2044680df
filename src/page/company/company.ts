/** Sections about a company, below its chart: statements, analysts, insiders, facts, events. */

import type { Quote, SymbolDetails } from '../../../clients/typescript/operations.js';
import type { Events } from '../events/use-events.ts';
import { html } from '../parts/html.ts';
import type { Requested } from '../state/use-request.ts';
import { Analysts, Facts, Insiders } from './facts.ts';
import { LatestEvents } from './latest-events.ts';
import { Statements } from './statements.ts';

export interface CompanyProps {
  symbol: string;
  /** Returns undefined until the datasets of the symbol are known. */
  has: (dataset: string) => boolean | undefined;
  details: Requested<SymbolDetails>;
  quote: Quote | undefined;
  marked: Events;
}

export function Company({ symbol, has, details, quote, marked }: CompanyProps) {
  return html`<div class="below">
    <div>
      <${Statements} symbol=${symbol} has=${has} />
      <div class="pair">
        <${Analysts} symbol=${symbol} isCovered=${has('analyst-consensus')} quote=${quote} />
        <${Insiders} symbol=${symbol} hasTrades=${has('insider')} />
      </div>
    </div>
    <div>
      <${Facts} ...${details} />
      <${LatestEvents} ...${marked} />
    </div>
  </div>`;
}
