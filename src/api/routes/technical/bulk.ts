/** `GET /svc/technical`: candles and indicators of many or all symbols in one response. */

import { DAILY_INTERVALS } from '../../../base/time/intervals.ts';
import { seriesIndicators } from '../../../screens/study/series-indicators.ts';
import type { Route, RouteExample } from '../../contract/route.ts';
import { cachedParser, checkedQuery } from '../../http/query.ts';
import { choiceField, digitsField, requireText } from '../../http/query-fields.ts';
import { NEEDS_VERSION } from '../../http/send-pieces.ts';
import { snapshotAsOf } from '../../responses/as-of.ts';
import { universesId } from '../../responses/universes.ts';
import { bulkPool, bulkResponse } from '../candles/bulk-response.ts';
import { BULK_FORMATS, candlesParameters, candlesQuery } from '../candles/query.ts';
import { indicatorSeries } from './bulk-series.ts';
import { columnNames } from './columns.ts';
import { indicatorsField, requestText } from './query.ts';

const bulkParameters = candlesParameters.extend({
  indicators: indicatorsField.describe(
    'Indicators, or expressions over bars, as for one symbol: `sma:50,macd,sma(volume, 50)`.',
  ),
  interval: choiceField(DAILY_INTERVALS)
    .default('1d')
    .describe('Length of a bar. Intervals below a day are available for one symbol at a time.'),
  latest: choiceField(['true', 'false'])
    .default('false')
    .describe('`true` gives only the newest row of each symbol in the window.'),
  digits: digitsField
    .describe(
      'Significant digits of indicators, rounded to the nearest; prices and volumes keep all of ' +
        'theirs. CSV only. Default: all digits.',
    )
    .optional(),
});

/**
 * @throws {ParameterError} A parameter breaks a rule, or two contradict each other.
 * @throws {HttpError} 406: no format is acceptable.
 */
const parsedQuery = cachedParser((query, accept) => {
  const requested = checkedQuery(bulkParameters, query);
  const candles = candlesQuery(requested, accept);
  const indicators = seriesIndicators(requested.indicators, requested.interval);
  const { digits } = requested;
  requireText(digits, candles.format);
  const isLatest = requested.latest === 'true';
  const series = indicators.map(requestText);
  const canonical = [candles.canonical, isLatest, digits, ...series].join(' ');
  const rowsMax = isLatest ? 1 : candles.rowsMax;
  return { ...candles, rowsMax, isLatest, indicators, digits, canonical };
});

const EXAMPLE: RouteExample = {
  title: 'The newest day with a moving average and Bollinger bands as CSV',
  query: { symbols: 'QXAA', indicators: 'sma:20,bollinger', latest: 'true', format: 'csv' },
  csv:
    'symbol,timestamp,date,open,high,low,close,volume,adjustment,sma:20,' +
    'bollinger_upper,bollinger_middle,bollinger_lower\r\n' +
    'QXAA,2026-11-17T00:00:00.000Z,2026-11-17,145.45,147.56,142.79,142.9,7264,split,' +
    '137.5945,145.78504477286515,138.925,132.06495522713487\r\n',
};

export const bulkTechnical: Route = {
  template: '/svc/technical',
  access: { scope: 'technicals:read', tokens: 1, perSymbol: true },
  contract: {
    operationId: 'getTechnicalOfSymbols',
    tag: 'Technical analysis',
    summary: 'Download indicators of many symbols',
    description:
      'Streams one response from a single version of the data. The columns are those of ' +
      '`/svc/candles`, then one for each line of an indicator: `sma:20`, `macd`, `macd_signal`, ' +
      '`bollinger_upper` and so on. Indicators use the whole history, so a window never lacks ' +
      'its warm-up; before its first value an indicator is empty in CSV and null in Arrow.\n\n' +
      'A stream without its end-of-stream mark is incomplete. JSON is not available.',
    query: bulkParameters,
    formats: BULK_FORMATS,
    isTagged: true,
    headers: ['X-SVC-Adjustment', 'X-SVC-Session', 'X-SVC-Rows'],
    errors: {
      400: 'interval must be one of 1d, 1w, 1M, got "5m"',
      404: 'Unknown symbols in sandbox data: NONE',
      426: NEEDS_VERSION,
      503: '32 bulk responses are in progress: try again later',
    },
    examples: [EXAMPLE],
  },
  respond(context, { readers, cached, now }) {
    const { key, query, headers } = context;
    const request = parsedQuery(query, headers.accept);
    bulkPool.check(key.account);
    const reader = readers[key.mode];
    const snapshot = snapshotAsOf(reader, request.asOf, now());
    const isOfUniverse = request.universe !== undefined;
    const id = isOfUniverse ? universesId(reader.current()) : snapshot.dailyId;
    return cached(key.mode, id, `indicators ${request.canonical}`, () =>
      bulkResponse(
        context,
        snapshot,
        request,
        (symbols) => indicatorSeries(snapshot, symbols, request),
        { names: request.indicators.flatMap(columnNames), digits: request.digits },
      ),
    );
  },
};
