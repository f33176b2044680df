/**
 * Indicators of a request, in both spellings: `rsi:14`, and expressions of screens over the bars of a
 * series, such as `sma(volume, 50)` or `close / sma(200)`.
 */

import { limits } from '../../base/limits.ts';
import { DAILY_INTERVALS, type DailyInterval, type Interval } from '../../base/time/intervals.ts';
import { tradingDay } from '../../base/time/trading-sessions.ts';
import type { Column } from '../../compute/columns/column.ts';
import { madeInputs } from '../../compute/columns/column-facts.ts';
import {
  type IndicatorInput,
  type IndicatorSpec,
  indicator,
  outputColumns,
} from '../../compute/columns/indicator-spec.ts';
import { Program } from '../../compute/columns/program.ts';
import { indicatorByName } from '../../compute/indicators/catalogue.ts';
import {
  type IndicatorRequest,
  indicatorFromText,
  indicatorList,
} from '../../compute/indicators/indicator-request.ts';
import { squashed, USUAL_WORDS } from '../language/advice/words.ts';
import { canonicalText } from '../language/canonical.ts';
import type { Expression } from '../language/expression.ts';
import { ExpressionError } from '../language/expression-error.ts';
import { parseExpression } from '../language/parse.ts';
import { Resolver } from '../language/resolve.ts';
import { NO_OWN_NAMES } from '../language/scope.ts';
import { columnOf } from '../plan/column-of.ts';
import { evaluateExpression } from '../plan/evaluate.ts';
import { Lowering } from '../plan/lower.ts';
import { calendarColumn } from '../run/made-inputs.ts';
import { type DayBars, PastPeriods } from './past-periods.ts';

const FIELD = 'indicators';

/** Said of an unknown name. */
const NAME_EXPECTED = 'an indicator, a column or a number';

/** The spelling with colons, which has all outputs of an indicator. */
const SHORT = /^\w+(:[^(), ]*)*$/;

/**
 * Parses a comma list in its order; commas in parentheses and quotes part nothing.
 *
 * @param interval Length of the bars, on which defaults and `weekly(…)` depend.
 * @param period   The request's own `period`, for the spelling with colons.
 * @throws {ParameterError} on `indicators`: a text is wrong, stands twice, or there are too many.
 */
export function seriesIndicators(
  list: string | undefined,
  interval: Interval,
  period?: number,
): IndicatorRequest[] {
  if (list === undefined) return [];
  let offset = 0;
  return indicatorList(list).map((text) => {
    const start = offset + (text.length - text.trimStart().length);
    offset += text.length + 1;
    const key = text.trim();
    if (SHORT.test(key) && indicatorByName(key.split(':')[0])) {
      return indicatorFromText(key, interval, period);
    }
    try {
      return requestOf(key, `${' '.repeat(start)}${key}`, interval);
    } catch (error) {
      const isUnknown = error instanceof ExpressionError && error.expected === NAME_EXPECTED;
      if (!isUnknown || !SHORT.test(key) || USUAL_WORDS.has(squashed(key))) throw error;
      // A single word is more likely a misspelled indicator than an expression.
      return indicatorFromText(key, interval, period);
    }
  });
}

/** @param source The text at its place in the list, for the positions of errors. */
function requestOf(key: string, source: string, interval: Interval): IndicatorRequest {
  const isDaily = (DAILY_INTERVALS as readonly string[]).includes(interval);
  const resolver = new Resolver(
    FIELD,
    source,
    { symbols: new Map(), conditions: 0, operations: 0 },
    NO_OWN_NAMES,
  );
  resolver.interval = isDaily ? (interval as DailyInterval) : '1d';
  resolver.barInterval = interval;
  const expression = resolver.resolve(parseExpression(FIELD, source));
  const { single } = expression;
  if (expression.type === 'text' || (single && single.kind !== 'interval')) {
    const hint = 'fields and comparisons of symbols are columns of a screen';
    resolver.fail(single ?? expression, {
      rule: `expected an expression over bars`,
      found: resolver.slice(single ?? expression),
      hint,
    });
  }
  if (single && interval !== '1d') {
    const hint = `ask for interval=${single.name === 'weekly' ? '1w' : '1M'}`;
    resolver.fail(single, { rule: `${single.name}(…) needs bars of days`, hint });
  }
  if (!single) resolver.needBars(expression);
  const spec = single
    ? periodSpec(key, expression)
    : columnSpec(key, expression, resolver, isDaily);
  return { key, spec, params: {}, isAlone: spec.isAlone };
}

type SeriesSpec = IndicatorSpec & { isAlone: boolean };

function columnSpec(
  key: string,
  expression: Expression,
  resolver: Resolver,
  isDaily: boolean,
): SeriesSpec {
  const columnFor = (isIntraday: boolean) => columnOf(expression, (_, make) => make(), isIntraday);
  const column = columnFor(false);
  checkSize(resolver, expression, column);
  const made = madeInputs([column]);
  for (const one of made.values()) {
    if (one.kind === 'calendar') continue;
    const rule = `symbol('${one.symbol}') is for screens`;
    resolver.fail(expression, { rule, hint: 'ask for the indicators of both symbols' });
  }
  const spec = indicator({
    name: canonicalText(expression),
    title: key,
    columns: (_, __, isIntraday) => ({ [canonicalText(expression)]: columnFor(isIntraday) }),
  });
  if (made.size === 0) return { ...spec, isAlone: false };
  return {
    ...spec,
    isAlone: true,
    compute(bars, params, out) {
      const days = isDaily ? daysOf(bars) : tradingDays(bars);
      const calendars = [...made].flatMap(([name, one]) =>
        one.kind === 'calendar' ? [[name, calendarColumn(one.name, days)]] : [],
      );
      return spec.compute({ ...bars, ...Object.fromEntries(calendars) }, params, out);
    },
  };
}

/** @throws {ExpressionError} The expression takes too many operations or bars. */
function checkSize(resolver: Resolver, expression: Expression, column: Column): void {
  const { operationsMax, stateRowsMax } = limits.screens;
  const program = new Program([column]);
  if (program.stateRows > stateRowsMax) {
    resolver.fail(expression, {
      rule: `exceeds the limit of ${stateRowsMax} bars in windows and offsets`,
    });
  }
  if (resolver.counts.operations > operationsMax) {
    resolver.fail(expression, { rule: `exceeds the limit of ${operationsMax} operations` });
  }
}

/** Values of weeks and months at each day, the running one as far as it had come. */
function periodSpec(key: string, expression: Expression): SeriesSpec {
  const name = canonicalText(expression);
  const lowering = new Lowering(() => {});
  const lowered = lowering.lower(expression);
  const groups = lowering.bars();
  const spec = indicator({ name, title: key, columns: ({ close }) => ({ [name]: close }) });
  return {
    ...spec,
    isAlone: true,
    compute(bars, _, out = outputColumns([name], bars.close.length)) {
      const count = bars.close.length;
      const days = daysOf(bars);
      const columns = groups.map(({ interval, columns }) =>
        interval === '1d'
          ? dailyValues(columns, bars)
          : new PastPeriods(interval, columns).of(days, bars as unknown as DayBars),
      );
      const none = (): never => {
        throw new Error('Assertion failed: the expression reads no field');
      };
      const values = { count, bars: columns, number: none, text: none };
      out[name].set(evaluateExpression(lowered, values));
      return out;
    },
  };
}

function dailyValues(columns: readonly Column[], bars: IndicatorInput): Float64Array[] {
  const out = columns.map(() => new Float64Array(bars.close.length).fill(Number.NaN));
  new Program(columns).run([bars], bars.close.length, [out]);
  return out;
}

const MICROS_PER_DAY = 86_400_000_000;

function timestampsOf(bars: IndicatorInput): BigInt64Array {
  return (bars as unknown as { timestampUs: BigInt64Array }).timestampUs;
}

/** Days of daily, weekly and monthly bars since the epoch. */
function daysOf(bars: IndicatorInput): Int32Array {
  return Int32Array.from(timestampsOf(bars), (us) => Math.floor(Number(us) / MICROS_PER_DAY));
}

/** Trading days of shorter bars, which turn in the evening. */
function tradingDays(bars: IndicatorInput): Int32Array {
  return Int32Array.from(timestampsOf(bars), (us) => tradingDay(Number(us) / 1000));
}
