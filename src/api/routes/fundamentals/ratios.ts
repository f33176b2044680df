/** `GET /svc/fundamentals/{symbol}/ratios`: ratios by period, and as of any day. */

import { MILLIS_PER_DAY } from '../../../base/bars.ts';
import { BALANCE_FIGURES, BALANCE_LINE_FIGURES } from '../../../base/companies/figures.ts';
import { ratios } from '../../../base/datasets/ratios.ts';
import { figuresOf } from '../../../base/datasets/statement.ts';
import { dateFromDay } from '../../../base/time/dates.ts';
import type { KnownFigures } from '../../../compute/companies/company-history.ts';
import { pricedRatios } from '../../../screens/run/priced-ratios.ts';
import type { Snapshot } from '../../../store/arrow/snapshot/snapshot.ts';
import type { Route } from '../../contract/route.ts';
import { ofSymbol } from '../../contract/symbol-route.ts';
import { dataResponse } from '../../responses/record-pages.ts';
import { type FundamentalsQuery, SHARED, STATEMENT_QUERY, statementQuery } from './query.ts';
import { halfEnds } from './rows.ts';
import { RATIOS_EXAMPLE, STATEMENT_ROWS, statementsSchema } from './schema.ts';

/** Largest distance in days between the end of a period and the day of its balance sheet. */
const SAME_DAYS = 7;

/** A year that was filed after a later quarter: history has the newest balance sheet alone. */
function withoutBalance({ knownMs, figures }: KnownFigures): KnownFigures {
  const names = [...BALANCE_FIGURES, ...BALANCE_LINE_FIGURES];
  const unknown = Object.fromEntries(names.map((name) => [name, Number.NaN]));
  return { knownMs, figures: { ...figures, ...unknown } };
}

/**
 * Returns the figures of each period as they were known last before the next one, newest first.
 *
 * A later balance sheet ends a period, even if no twelve months end with it. It counts in the
 * newest trailing row, which has the figures of today.
 */
function figuresByPeriod(
  history: readonly KnownFigures[],
  { period, knownByMs, limit }: FundamentalsQuery,
  halves: () => ReadonlySet<number>,
): KnownFigures[] {
  const ends = period === 'semiannual' ? halves() : undefined;
  const known = new Map<number, KnownFigures>();
  for (const one of history) {
    if (one.knownMs > knownByMs) break;
    const { periodDay, balanceDay } = one.figures;
    if (!(balanceDay > periodDay + SAME_DAYS)) known.set(periodDay, one);
    else if (!known.has(periodDay)) known.set(periodDay, withoutBalance(one));
  }
  const newest = history.findLast(({ knownMs }) => knownMs <= knownByMs);
  if (period === 'ttm' && newest) known.set(newest.figures.periodDay, newest);
  return [...known.values()]
    .filter(({ figures }) => figures.periodDay > 0 && (period !== 'annual' || figures.isYear === 1))
    .filter(({ figures }) => !ends || ends.has(figures.periodDay * MILLIS_PER_DAY))
    .sort((a, b) => b.figures.periodDay - a.figures.periodDay)
    .slice(0, limit);
}

const FIGURES = figuresOf(ratios).map(({ name }) => name);

function ratioRow(
  snapshot: Snapshot,
  symbol: string,
  { period, asOfDay, isExplained }: FundamentalsQuery,
  known: KnownFigures,
  isNewest: boolean,
): string {
  const { periodDay } = known.figures;
  const day = isNewest && period === 'ttm' ? asOfDay : periodDay;
  const { dated, values, explained } = pricedRatios(snapshot, symbol, known, day);
  // NaN and infinity are null in JSON.
  return JSON.stringify({
    date: dateFromDay(periodDay),
    period,
    priceDate: dated ? dateFromDay(dated.day) : null,
    ...Object.fromEntries(FIGURES.map((name) => [name, values[name]])),
    ...(isExplained && { explained: explained() }),
  });
}

export const ratioRoute: Route = {
  template: `/svc/fundamentals/{symbol}/${ratios.name}`,
  access: { scope: 'fundamentals:read', tokens: 10 },
  contract: {
    ...SHARED,
    query: STATEMENT_QUERY,
    operationId: 'listRatios',
    summary: 'List ratios',
    description:
      'Newest period first. Flows are of twelve months, amounts of the balance sheet at their end, as ' +
      'they were known before the next report. The price is the last close up to the end of the ' +
      'period; in the newest row of `ttm` it is the newest one, or that of `as_of`. A ratio is ' +
      'null if an input is unknown or a divisor is not above zero.',
    response: statementsSchema(ratios),
    examples: [RATIOS_EXAMPLE],
  },
  respond: ofSymbol(statementQuery, ({ mode, snapshot, symbol }, request, { cached }) =>
    cached(mode, snapshot.id, `${ratios.name} ${symbol} ${request.canonical}`, () => {
      const history = snapshot.figures.history(symbol);
      const known = figuresByPeriod(history, request, () => halfEnds(snapshot, symbol));
      const texts = known.map((one, i) => ratioRow(snapshot, symbol, request, one, i === 0));
      return dataResponse(texts, STATEMENT_ROWS.get(ratios.name)!, request.format);
    }),
  ),
};
