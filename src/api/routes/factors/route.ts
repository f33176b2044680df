/** `GET /svc/factors/{symbol}`: dated factors between prices as traded and adjusted ones. */

import type { z } from 'zod';
import { dateFromDay } from '../../../base/time/dates.ts';
import type { AdjustmentStep } from '../../../compute/bars/adjustment-steps.ts';
import type { Ratio } from '../../../compute/bars/ratio.ts';
import { datedSteps } from '../../../screens/run/dated-steps.ts';
import type { BarsSnapshot, SymbolInfo } from '../../../store/arrow/snapshot/snapshot.ts';
import { ONLY_FORMAT, symbolRoute } from '../../contract/symbol-route.ts';
import { CONTENT_TYPES, type Format } from '../../http/format.ts';
import { type ApiResponse, createResponse } from '../../http/response.ts';
import { tableFromRows } from '../../responses/record-pages.ts';
import { tableResponse } from '../../responses/table-response.ts';
import { reasonAgainst } from '../candles/served-bars.ts';
import { factorSchema, factorsExample, factorsSchema } from './schema.ts';

type Factors = z.infer<typeof factorsSchema>;

/** Returns the factors of daily bars, else of the longest intraday ones; none without bars. */
export function factorsOf(snapshot: BarsSnapshot, symbol: string): Factors {
  for (const interval of ['1d', '5m', '1m'] as const) {
    const info = interval === '1d' ? snapshot.symbol(symbol) : snapshot.intraday(symbol, interval);
    if (!info) continue;
    const rows = datedSteps(snapshot, info, interval, ['raw', 'split', 'all']);
    const data = rows.map(({ day, steps }) => ({ date: dateFromDay(day), ...factorsFrom(steps) }));
    const isWhole = data.every(({ factor }) => factor !== null);
    return isWhole ? { data } : { data, reason: reasonOf(info, data[0].splitFactor === null) };
  }
  return { data: [] };
}

/** @param steps From the stored basis to `raw`, `split` and `all`. */
function factorsFrom([raw, split, all]: readonly (AdjustmentStep | undefined)[]) {
  const splitFactor = raw && split ? quotient(split.ratio, raw.ratio) : null;
  const dividendFactor = splitFactor !== null && all ? all.factor : null;
  const factor = dividendFactor === null ? null : splitFactor! * dividendFactor;
  return { splitFactor, dividendFactor, factor };
}

/** Divides two ratios of integers with one rounding. */
function quotient(a: Ratio, b: Ratio): number {
  return (a.numerator * b.denominator) / (a.denominator * b.numerator);
}

function reasonOf(info: SymbolInfo, isSplit: boolean): string {
  if (info.basis === 'all') return 'its source gives no prices as traded';
  const reason = reasonAgainst(isSplit ? 'split' : 'all', info).slice(' ('.length, -1);
  return reason || 'its splits are not known up to the day of its prices';
}

function response(
  snapshot: BarsSnapshot,
  symbol: string,
  format: Format,
): ApiResponse | Promise<ApiResponse> {
  const body = factorsOf(snapshot, symbol);
  if (format === 'json') return createResponse(200, CONTENT_TYPES.json, JSON.stringify(body));
  return tableResponse(tableFromRows(body.data, factorSchema, 'date'), format);
}

const factors = symbolRoute({
  template: '/svc/factors/{symbol}',
  access: { scope: 'quotes:read', tokens: 1 },
  parameters: ONLY_FORMAT,
  contract: {
    operationId: 'listFactors',
    tag: 'Symbols',
    summary: 'List adjustment factors',
    description:
      'Oldest first, a row for each day from which other factors apply. A price as traded times ' +
      '`splitFactor` is adjusted for splits, and times `factor` for splits and dividends; a ' +
      'volume as traded is divided by `splitFactor`. These are the factors of the parameter ' +
      '`adjustment`. Factors that are not known are null, and `reason` says why.',
    response: factorsSchema,
    isTagged: true,
    examples: [factorsExample],
  },
  respond: ({ mode, snapshot, symbol }, { format }, { cached }) =>
    cached(mode, snapshot.id, `factors ${format} ${symbol}`, () =>
      response(snapshot, symbol, format),
    ),
});

export const factorRoutes = [factors];
