/** Random expressions in the language of screens, each with its SQL. */

import fc from 'fast-check';

export const COLUMNS = ['open', 'high', 'low', 'close', 'volume'] as const;

/** An expression in the language of screens, and its SQL. */
export interface Both {
  text: string;
  /** Writes the SQL; `column` names a value of each row, computed before. */
  sql: (column: (sql: string) => string) => string;
  [fc.toStringMethod]: () => string;
}

function both(text: string, sql: Both['sql']): Both {
  return { text, sql, [fc.toStringMethod]: () => text };
}

const plain = (name: string, sql = name) => both(name, () => sql);
const number = fc.integer({ min: 0, max: 200 }).map((n) => plain(`${n}`, `${n}::DOUBLE`));
const bar = fc.constantFrom(...COLUMNS).map((name) => plain(name));
/** Close of the last bar of the year before. */
const YEAR_BASE = 'first_value(last_close) OVER (PARTITION BY series, year(day) ORDER BY i)';
const ofDay = fc.constantFrom(
  plain('listed_bars', 'row_number() OVER bars'),
  plain('weekday', '(isodow(day))::DOUBLE'),
  plain('year_to_date', `(close - ${YEAR_BASE}) / ${YEAR_BASE} * 100`),
);
const earlier = fc
  .tuple(fc.constantFrom(...COLUMNS), fc.integer({ min: 0, max: 12 }))
  .map(([name, bars]) => plain(`${name}[${bars}]`, `lag(${name}, ${bars}) OVER bars`));
const period = fc.integer({ min: 1, max: 30 });
const few = fc.integer({ min: 1, max: 12 });

const WINDOWS = { avg: 'avg', sum: 'sum', highest: 'max', lowest: 'min', stddev: 'stddev_pop' };
const SIDES = { min: 'least', max: 'greatest' };
/** True if the smaller of both may be meant as the lowest value of so many bars, which is refused. */
const isAmbiguous = (a: Both, b: Both) => /^\w+(\[\d+\])?$/.test(a.text) && /^\d+$/.test(b.text);

/** Null unless all values of the window are there. */
function windowSql(call: string, value: string, bars: number): string {
  const frame = `OVER (bars ROWS ${bars - 1} PRECEDING)`;
  return `CASE WHEN count(${value}) ${frame} = ${bars} THEN ${call}(${value}) ${frame} END`;
}

/** True if a row of the window is, false if all are false. */
function withinSql(value: string, bars: number): string {
  const frame = `OVER (bars ROWS ${bars - 1} PRECEDING)`;
  return `CASE WHEN bool_or(${value}) ${frame} THEN true WHEN count(${value}) ${frame} = ${bars} THEN false END`;
}

const trees = fc.letrec<{ value: Both; condition: Both }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, depthIdentifier: 'screen' },
    bar,
    number,
    earlier,
    ofDay,
    fc.tuple(tie('value'), fc.constantFrom('+', '-', '*', '/'), tie('value')).map(([a, sign, b]) =>
      both(`(${a.text} ${sign} ${b.text})`, (column) => {
        const right = sign === '/' ? `nullif(${b.sql(column)}, 0)` : b.sql(column);
        return `(${a.sql(column)} ${sign} ${right})`;
      }),
    ),
    fc
      .tuple(fc.constantFrom(...Object.entries(WINDOWS)), tie('value'), period)
      .map(([[name, call], a, bars]) =>
        both(`${name}(${a.text}, ${bars})`, (column) =>
          windowSql(call, column(a.sql(column)), bars),
        ),
      ),
    fc
      .tuple(fc.constantFrom(...Object.entries(SIDES)), tie('value'), tie('value'))
      .filter(([, a, b]) => !isAmbiguous(a, b) && !isAmbiguous(b, a))
      .map(([[name, call], a, b]) =>
        both(`${name}(${a.text}, ${b.text})`, (column) => {
          const [left, right] = [a, b].map((one) => column(one.sql(column)));
          return `CASE WHEN ${left} + ${right} IS NOT NULL THEN ${call}(${left}, ${right}) END`;
        }),
      ),
    tie('value').map((a) => both(`abs(${a.text})`, (column) => `abs(${a.sql(column)})`)),
    fc.tuple(fc.boolean(), tie('value'), few).map(([isPercent, a, bars]) =>
      both(`${isPercent ? 'pct_change' : 'change'}(${a.text}, ${bars})`, (column) => {
        const now = column(a.sql(column));
        const before = column(`lag(${now}, ${bars}) OVER bars`);
        return isPercent
          ? `((${now} - ${before}) / nullif(${before}, 0) * 100)`
          : `(${now} - ${before})`;
      }),
    ),
    fc
      .tuple(tie('condition'), period)
      .map(([a, bars]) =>
        both(`count(${a.text}, ${bars})`, (column) =>
          windowSql('sum', column(`(${a.sql(column)})::INT::DOUBLE`), bars),
        ),
      ),
    tie('condition').map((a) =>
      both(`bars_since(${a.text})`, (column) => {
        const is = column(a.sql(column));
        return `(i - max(CASE WHEN ${is} THEN i END) OVER (bars ROWS UNBOUNDED PRECEDING))::DOUBLE`;
      }),
    ),
    fc.tuple(tie('condition'), tie('value'), tie('value')).map(([test, a, b]) =>
      both(`if(${test.text}, ${a.text}, ${b.text})`, (column) => {
        const is = column(test.sql(column));
        return `CASE WHEN ${is} THEN ${a.sql(column)} WHEN NOT ${is} THEN ${b.sql(column)} END`;
      }),
    ),
  ) as fc.Arbitrary<Both>,
  condition: fc.oneof(
    { maxDepth: 3, depthIdentifier: 'screen' },
    fc
      .tuple(tie('value'), fc.constantFrom('<', '<=', '>', '>=', '=', '!='), tie('value'))
      .map(([a, sign, b]) =>
        both(
          `${a.text} ${sign} ${b.text}`,
          (column) => `${a.sql(column)} ${sign} ${b.sql(column)}`,
        ),
      ),
    fc
      .tuple(tie('condition'), fc.constantFrom('and', 'or'), tie('condition'))
      .map(([a, word, b]) =>
        both(
          `(${a.text} ${word} ${b.text})`,
          (column) => `(${a.sql(column)} ${word} ${b.sql(column)})`,
        ),
      ),
    fc.tuple(tie('value'), fc.constantFrom('above', 'below'), tie('value')).map(([a, word, b]) =>
      both(`${a.text} crosses ${word} ${b.text}`, (column) => {
        const is = column(`${a.sql(column)} ${word === 'above' ? '>' : '<'} ${b.sql(column)}`);
        return `(${is} AND NOT lag(${is}) OVER bars)`;
      }),
    ),
    fc.tuple(tie('condition'), fc.constantFrom('within', 'for'), few).map(([a, word, bars]) =>
      both(`((${a.text}) ${word} ${bars})`, (column) => {
        if (word === 'within') return `(${withinSql(column(a.sql(column)), bars)})`;
        return `(NOT ${withinSql(column(`NOT (${a.sql(column)})`), bars)})`;
      }),
    ),
    tie('value').map((a) => both(`(${a.text} is null)`, (column) => `(${a.sql(column)} IS NULL)`)),
    tie('condition').map((a) => both(`not (${a.text})`, (column) => `NOT (${a.sql(column)})`)),
  ) as fc.Arbitrary<Both>,
}));

export const { value, condition } = trees;

const RANKED = ['change', 'pct_change'] as const;

/** Comparisons of symbols on a day; their values have no rounding that the order of terms decides. */
export const across: fc.Arbitrary<Both> = fc
  .tuple(
    fc.constantFrom(...RANKED),
    fc.constantFrom(...COLUMNS),
    few,
    fc.constantFrom('<', '>'),
    fc.integer({ min: 1, max: 99 }),
  )
  .map(([call, name, bars, sign, percent]) =>
    both(`rank(${call}(${name}, ${bars})) ${sign} ${percent / 100 + 0.0000137}`, (column) => {
      const before = `nullif(lag(${name}, ${bars}) OVER bars, 0)`;
      const x = column(
        call === 'change'
          ? `${name} - lag(${name}, ${bars}) OVER bars`
          : `(${name} - ${before}) / ${before} * 100`,
      );
      const known = `isBasis AND ${x} IS NOT NULL`;
      const less = column(`rank() OVER (PARTITION BY day, ${known} ORDER BY ${x}) - 1`);
      const same = column(`count(*) OVER (PARTITION BY day, ${known}, ${x})`);
      const all = column(`count(*) OVER (PARTITION BY day, ${known})`);
      const rank = column(
        `CASE WHEN ${known} THEN (${less} + (${same} + 1) / 2 - 1) / nullif(${all} - 1, 0) END`,
      );
      return `${rank} ${sign} ${percent / 100 + 0.0000137}`;
    }),
  );

/** Returns steps of a query that compute an expression from the table `t`, and its name in the last. */
export function sqlSteps({ sql }: Both): { steps: string; table: string; result: string } {
  // A window can't stand in another one, so each value has a step of its own.
  const steps = ['t0 AS (FROM t)'];
  const column = (text: string) => {
    const [name, before] = [`c${steps.length}`, `t${steps.length - 1}`];
    const over = 'WINDOW bars AS (PARTITION BY series ORDER BY i)';
    steps.push(`t${steps.length} AS (SELECT *, ${text} AS ${name} FROM ${before} ${over})`);
    return name;
  };
  const result = column(sql(column));
  return { steps: steps.join(', '), table: `t${steps.length - 1}`, result };
}
