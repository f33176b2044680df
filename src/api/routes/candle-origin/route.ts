/** `GET /svc/candles/{symbol}/origin`: the source of one bar, and what changed its prices. */

import type { z } from 'zod';
import { type Basis, blankBars } from '../../../base/bars.ts';
import { HttpError } from '../../../base/errors.ts';
import { volumeNumber } from '../../../base/prices/decimals.ts';
import { dateFromDay, dayFromMillis } from '../../../base/time/dates.ts';
import { isDailyInterval } from '../../../base/time/intervals.ts';
import { derivableBases, newestDayInForce } from '../../../compute/bars/adjust.ts';
import type { Snapshot } from '../../../store/arrow/snapshot/snapshot.ts';
import type { Route } from '../../contract/route.ts';
import { ofSymbol } from '../../contract/symbol-route.ts';
import { CONTENT_TYPES } from '../../http/format.ts';
import { cachedParser, checkedQuery } from '../../http/query.ts';
import { symbolPath, windowFromTexts } from '../../http/query-fields.ts';
import { createResponse } from '../../http/response.ts';
import { dateTimeText } from '../../responses/time-text.ts';
import { type CandleWindow, candleSeries } from '../candles/series.ts';
import { baseOfBar } from '../candles/session-series.ts';
import { actionsOf, datedCoverage } from '../corporate-actions/route.ts';
import { originExample, originParameters, originSchema } from './schema.ts';

type Origin = z.infer<typeof originSchema>;

const parsedQuery = cachedParser((query) => checkedQuery(originParameters, query));

function pricesOn(
  snapshot: Snapshot,
  symbol: string,
  window: CandleWindow & { adjustment: Basis },
): Origin['prices'] {
  for (const series of candleSeries(snapshot, [symbol], window)) {
    if (series.rowCount === 0) continue;
    const bar = blankBars(1);
    series.copyRows(0, 1, bar);
    const { open, high, low, close, volume } = bar;
    const prices = { open: open[0], high: high[0], low: low[0], close: close[0] };
    return [{ adjustment: window.adjustment, ...prices, volume: volumeNumber(volume[0]) }];
  }
  return [];
}

/** @throws {HttpError} 404: no bar of the interval begins then. */
function originOf(
  snapshot: Snapshot,
  symbol: string,
  { interval, fromUs }: { interval: Origin['interval']; fromUs: bigint },
): Origin {
  const timestampMs = Number(fromUs / 1000n);
  const base = isDailyInterval(interval)
    ? { interval: '1d' as const, info: snapshot.symbol(symbol) }
    : baseOfBar(snapshot, symbol, interval, timestampMs);
  const info = base?.info;
  const session = isDailyInterval(interval) ? ('regular' as const) : ('all' as const);
  const window = { interval, fromUs, toUs: fromUs, session };
  const prices = info
    ? derivableBases(info).flatMap((adjustment) =>
        pricesOn(snapshot, symbol, { ...window, adjustment }),
      )
    : [];
  if (!base || !info || prices.length === 0) {
    const start = dateTimeText(timestampMs);
    throw new HttpError(404, `${symbol} has no ${interval} bar that begins at ${start}`);
  }
  const { asOfUs, actionCoverage: coverage } = info;
  const date = dateFromDay(dayFromMillis(timestampMs));
  const lastBarDay = dayFromMillis(Number(info.lastBarUs / 1000n));
  const inForceTo = dateFromDay(newestDayInForce(asOfUs, lastBarDay));
  return {
    symbol,
    interval,
    timestamp: dateTimeText(timestampMs),
    source: info.source,
    sourceInterval: base.interval,
    sourceBasis: info.basis,
    asOf: asOfUs === undefined ? null : dateTimeText(Number(asOfUs / 1000n)),
    prices,
    actionsSince: actionsOf(snapshot, symbol)
      .filter(({ exDate }) => exDate > date && exDate <= inForceTo)
      .reverse(),
    actionCoverage: coverage ? datedCoverage(coverage) : null,
  };
}

const origin: Route = {
  template: '/svc/candles/{symbol}/origin',
  access: { scope: 'quotes:read', tokens: 1 },
  contract: {
    operationId: 'getCandleOrigin',
    tag: 'Candles',
    summary: 'Get the origin of a candle',
    description:
      'Returns the source of one bar, its prices on each basis, and the splits and dividends ' +
      'since then. For a daily bar, `tapeworks explain` on the server adds the file and the ' +
      'bars that were not served.',
    path: symbolPath,
    query: originParameters,
    response: originSchema,
    isTagged: true,
    errors: { 404: 'QXAA has no 1d bar that begins at 2026-11-15T00:00:00.000Z' },
    examples: [originExample],
  },
  respond: ofSymbol(parsedQuery, ({ mode, snapshot, symbol }, { at, interval }, { cached }) => {
    const fromUs = windowFromTexts(at, undefined).fromUs!;
    return cached(mode, snapshot.id, `origin ${symbol} ${interval} ${fromUs}`, () =>
      createResponse(
        200,
        CONTENT_TYPES.json,
        JSON.stringify(originOf(snapshot, symbol, { interval, fromUs })),
      ),
    );
  }),
};

export const candleOriginRoutes = [origin];
