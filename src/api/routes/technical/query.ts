/** Query of a technical request, checked and in canonical form. */

import { z } from 'zod';
import { BASES, type Basis } from '../../../base/bars.ts';
import { ParameterError } from '../../../base/errors.ts';
import { limits } from '../../../base/limits.ts';
import { quoted } from '../../../base/quoted.ts';
import { INTERVALS, type Interval, type SessionChoice } from '../../../base/time/intervals.ts';
import { indicatorCatalogue } from '../../../compute/indicators/catalogue.ts';
import type { IndicatorRequest } from '../../../compute/indicators/indicator-request.ts';
import { seriesIndicators } from '../../../screens/study/series-indicators.ts';
import type { RowRange } from '../../../store/arrow/snapshot/snapshot.ts';
import { chosenFormat, FORMATS, type Format } from '../../http/format.ts';
import { cachedParser, checkedQuery } from '../../http/query.ts';
import {
  choiceField,
  digitsField,
  formatField,
  integerField,
  integerOrAllField,
  listMeta,
  momentField,
  requireText,
  type TimeWindow,
  textField,
  windowFromTexts,
} from '../../http/query-fields.ts';
import { type AsOf, asOfField, asOfFromText } from '../../responses/as-of.ts';
import { checkSession, sessionField } from '../../responses/sessions.ts';

const { periodMin, periodMax, periodDefault } = limits.indicator;
const { rowsDefault, rowsJsonMax } = limits.technical;

/** Forms of indicators in a query: `bollinger:period:k`. */
const FORMS = indicatorCatalogue
  .map(({ name, params }) => `\`${[name, ...params.map((param) => param.name)].join(':')}\``)
  .join(', ');

/** Schema of a comma list of indicators; `seriesIndicators` parses it. */
export const indicatorsField = textField('must be a comma-separated list like sma,ema:50').meta(
  listMeta({ type: 'string', examples: ['sma:50'] }, limits.indicator.perRequestMax),
);

export const technicalParameters = z.strictObject({
  indicators: indicatorsField
    .describe(
      `Indicators with optional parameters after colons (\`sma:50\`): ${FORMS}; or expressions of ` +
        'screens over bars: `sma(volume, 50)`, `weekly(rsi(14))`, `macd.signal`, `close / sma(200)`. ' +
        'The response has each one in `indicators`, under the text that you sent.',
    )
    .optional(),
  interval: choiceField(INTERVALS)
    .default('1d')
    .describe('Length of a bar. Weeks start on Monday; the current week is included.'),
  period: integerField(periodMin, periodMax)
    .describe(
      'The `period` of every indicator that has one and gives none itself. Without it each has ' +
        `its own default; ${periodDefault} for \`sma\`, \`ema\`, \`rsi\` and \`bollinger\`.`,
    )
    .optional(),
  from: momentField
    .describe('Earliest `timestamp`: a date or a date-time. Without it the latest bars.')
    .optional(),
  to: momentField
    .describe('Latest `timestamp`, inclusive; a date means that whole day in UTC.')
    .optional(),
  limit: integerOrAllField(1, rowsJsonMax)
    .default(rowsDefault)
    .describe(
      'Maximum number of bars. `all` only in CSV and Arrow. With `from`, a window of more bars ' +
        'gets 400, and the message says how many there are.',
    ),
  adjustment: choiceField(BASES)
    .describe(
      'Prices as traded (`raw`), adjusted for splits, or for splits and dividends (`all`). ' +
        'Default: `split` if it can be derived, else as stored. 400 if the stored bars do not ' +
        'allow it.',
    )
    .optional(),
  digits: digitsField
    .describe(
      'Significant digits of indicators, rounded to the nearest; prices and volumes keep all of ' +
        'theirs. JSON and CSV only. Default: all digits.',
    )
    .optional(),
  session: sessionField,
  as_of: asOfField,
  format: formatField.optional(),
});

/** Checked query; its window bounds the bars' timestamps. */
export interface TechnicalQuery extends TimeWindow {
  indicators: readonly IndicatorRequest[];
  interval: Interval;
  limit: number | 'all';
  /** Undefined: the default of the symbol. */
  adjustment: Basis | undefined;
  /** Significant digits of indicators; undefined: all. */
  digits?: number | undefined;
  /** Sessions of bars below a day; default: regular. */
  session?: SessionChoice;
  /** Undefined: now. */
  asOf?: AsOf | undefined;
  format: Format;
  /** The same text for every spelling of a query. */
  canonical: string;
}

/**
 * @throws {ParameterError} A parameter breaks a rule, or two contradict each other.
 * @throws {HttpError} 406: no format is acceptable.
 */
export const parsedQuery = cachedParser((query, accept): TechnicalQuery => {
  const requested = checkedQuery(technicalParameters, query);
  const { interval, limit, adjustment, digits, session } = requested;
  checkSession(session, interval);
  const indicators = seriesIndicators(requested.indicators, interval, requested.period);
  checkYears(indicators, session);
  const { fromUs, toUs } = windowFromTexts(requested.from, requested.to);
  const format = chosenFormat(requested.format, accept, FORMATS);
  requireText(digits, format);
  if (format === 'json' && limit === 'all') {
    throw new ParameterError(
      'limit',
      `limit must be an integer from 1 to ${rowsJsonMax} in JSON, got "all" (csv and arrow take it)`,
    );
  }
  const asOf = asOfFromText(requested.as_of);
  const series = indicators.map(requestText);
  const bounds = [interval, fromUs, toUs, limit, adjustment, session, asOf?.timeMs];
  const canonical = [format, ...bounds, digits, ...series].join(' ');
  const bars = { interval, fromUs, toUs, limit, adjustment, session, asOf };
  return { indicators, ...bars, digits, format, canonical };
});

/** Indicators that count the bars of a year. */
const YEARLY = indicatorCatalogue.filter(({ params }) =>
  params.some(({ name }) => name === 'year'),
);

/**
 * Checks that no indicator counts the bars of a year by itself: only those of regular sessions are
 * known.
 */
function checkYears(indicators: readonly IndicatorRequest[], session: SessionChoice): void {
  if (session === 'regular') return;
  for (const { key, spec } of indicators) {
    const within = YEARLY.find(({ name }) => spec.name !== name && spec.name.includes(`${name}(`));
    if (within) {
      throw new ParameterError(
        'indicators',
        `${within.name} in an expression counts the bars of a year of regular sessions: ask for it ` +
          `without session=${session}, got ${quoted(key)}`,
      );
    }
    const place = spec.params.findIndex(({ name }) => name === 'year') + 1;
    if (place === 0 || key.split(':').length > place) continue;
    const form = [spec.name, ...spec.params.map(({ name }) => name)].join(':');
    throw new ParameterError(
      'indicators',
      `${spec.name} needs its bars of a year with session=${session}: write ${form}, got "${key}"`,
    );
  }
}

/** Returns key and parameters: the key is part of the response, and `period` changes its meaning. */
export function requestText({ key, params }: IndicatorRequest): string {
  return `${JSON.stringify(key)}=${Object.values(params).join(':')}`;
}

/**
 * Returns the latest rows of a window without a start, all rows of one with a start.
 *
 * @throws {ParameterError} `limit`: a window with a start has more bars.
 */
export function limitedRows(
  { start, end }: RowRange,
  { fromUs, limit }: Pick<TechnicalQuery, 'fromUs' | 'limit'>,
): RowRange {
  const rowCount = end - start;
  if (limit === 'all' || rowCount <= limit) return { start, end };
  if (fromUs === undefined) return { start: end - limit, end };
  throw new ParameterError(
    'limit',
    `limit must be at least ${rowCount}, the number of bars in the window, got "${limit}"`,
  );
}
