/** Studies and comparisons of symbols against another program: numpy, written from the definitions. */

import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, it } from 'vitest';
import { screenerQuery } from '../../../src/api/routes/screener/query.ts';
import { studyQuery } from '../../../src/api/routes/study/query.ts';
import { answeredStudy } from '../../../src/api/study/answer.ts';
import { studyRows } from '../../../src/api/study/respond.ts';
import { screenedDays } from '../../../src/api/study/screened-days.ts';
import { barRows } from '../../../src/base/bars.ts';
import { dateFromDay, dayFromDate } from '../../../src/base/time/dates.ts';
import { ScreenMemory } from '../../../src/screens/run/screen-memory.ts';
import type { Snapshot } from '../../../src/store/arrow/snapshot/snapshot.ts';
import { seededRandom } from '../../compute/support/hostile-series.ts';
import { scaled } from '../../faults/scale.ts';
import { published, screenMarket } from '../../screens/run/market.ts';
import { finished } from '../../screens/run/support/finished.ts';
import { freshFolder, sharedFolder } from '../../support/folders.ts';
import { python } from '../../support/tools.ts';
import { type FixtureSymbol, LAST_DAY, weekdayBars } from '../support/market-fixture.ts';
import { differing, isNear } from './support/differing.ts';
import { RandomTrees, type Tree, textOf } from './support/random-trees.ts';

const PROGRAM = fileURLToPath(new URL('support/independent.py', import.meta.url));
const MICROS_PER_DAY = 86_400_000_000n;
const STUDIES = scaled(2, 200);
const SECTIONS = scaled(4, 300);

/** Raw prices with splits, holes and ends. */
function market(): FixtureSymbol[] {
  const raw = screenMarket().filter(({ basis }) => basis === 'raw');
  const known = raw.map((one) => ({ ...one, isCovered: true }));
  const recent = known.map((one) => ({
    ...one,
    bars: barRows(one.bars, Math.max(0, one.bars.close.length - 300)),
  }));
  const [ended, halted, late] = recent.slice(-3);
  const hole = (_: unknown, row: number) => row % 6 !== 2;
  const own = weekdayBars(300, 61);
  const columns = Object.entries(own).map(([name, values]) => [name, values.filter(hole)]);
  return [
    ...recent.slice(0, -1),
    { ...ended, symbol: 'ENDED', bars: barRows(weekdayBars(300, 62), 0, 210) },
    { ...halted, symbol: 'HOLES', bars: Object.fromEntries(columns) },
    { ...late, symbol: 'LATE', bars: barRows(weekdayBars(300, 63), 0, 297) },
  ];
}

interface Study {
  where: Tree;
  universe?: Tree;
  mode: string;
  entry: string;
  horizons: number[];
  from: number;
  to: number;
}

interface Section {
  value: Tree;
  day: number;
}

/** Ten that a quant would type. */
const TYPED: Tree[] = [
  [
    'and',
    ['<', ['rsi', ['close'], 14], ['number', 40.0000137]],
    ['>', ['close'], ['*', ['number', 0.97003], ['avg', ['close'], 50]]],
  ],
  ['crosses above', ['close'], ['*', ['number', 1.00003], ['avg', ['close'], 20]]],
  ['>', ['close'], ['*', ['number', 0.99991], ['offset', ['highest', ['high'], 60], 1]]],
  ['for', ['<', ['close'], ['*', ['number', 0.99999], ['open']]], 3],
  [
    'and',
    ['>', ['volume'], ['*', ['number', 1.50003], ['avg', ['volume'], 20]]],
    ['>', ['pct_change', ['close'], 1], ['number', 1.00003]],
  ],
  ['>', ['rank', ['pct_change', ['close'], 20]], ['number', 0.80003]],
  [
    '<',
    ['standard', ['rsi', ['close'], 5], ['>', ['close'], ['number', 20.00003]]],
    ['number', -1.00003],
  ],
  [
    'or',
    ['>', ['year_to_date'], ['number', 20.00003]],
    ['not', ['>', ['listed_bars'], ['number', 50.5]]],
  ],
  ['>', ['count', ['>', ['close'], ['*', ['number', 1.00001], ['open']]], 10], ['number', 6.5]],
  ['within', ['crosses below', ['close'], ['*', ['number', 0.99993], ['lowest', ['low'], 10]]], 3],
];

const trees = new RandomTrees(seededRandom(370));

function studyOf(where: Tree): Study {
  const horizons = [...new Set([1, trees.whole(2, 9), trees.whole(10, 60)])];
  const from = LAST_DAY - trees.whole(100, 420);
  return {
    ...{ where, horizons, from, to: from + trees.whole(60, 420) },
    mode: trees.pick(['begins', 'matches']),
    entry: trees.pick(['next_open', 'next_close']),
    ...(trees.whole(0, 3) === 0 && { universe: trees.condition(1) }),
  };
}

const randomStudies = Array.from({ length: STUDIES }, (_, i) => {
  const compared: Tree = ['>', trees.across(), ['number', trees.odd(-0.5, 1)]];
  const where = trees.condition(2);
  return studyOf(i % 5 === 0 ? [trees.pick(['and', 'or']), where, compared] : where);
});
const studies = [...TYPED.map(studyOf), ...randomStudies];
const sections = Array.from(
  { length: SECTIONS },
  (): Section => ({
    ...{ value: trees.across(), day: LAST_DAY - trees.whole(0, 400) },
  }),
);

let snapshot: Snapshot;
const folder = sharedFolder();

beforeAll(async () => {
  snapshot = await published(folder, market());
});

const memory = new ScreenMemory(1e8);

function ours({ where, universe, mode, entry, horizons, from, to }: Study, rows: string) {
  const text = String(
    new URLSearchParams({
      ...{ where: textOf(where), mode, entry, horizons: String(horizons), rows },
      ...{ from: dateFromDay(from), to: dateFromDay(to) },
      ...(universe && { universe: textOf(universe) }),
    }),
  );
  return studyRows(finished(answeredStudy(snapshot, memory, studyQuery(text, undefined))).table);
}

function sectionOf({ value, day }: Section): [string, unknown][] {
  const date = dateFromDay(day);
  const query = new URLSearchParams({
    where: 'close > 0',
    columns: textOf(value),
    from: date,
    to: date,
  });
  const { days } = screenerQuery(String(query), undefined);
  const { symbols, columns } = finished(screenedDays(snapshot, memory, days!));
  return symbols.map((symbol, row) => [symbol, columns[0].values[row]]);
}

/** Answers of the other program, in the order of the questions. */
function theirs<T>(questions: readonly (Study | Section)[]): T[] {
  const file = join(freshFolder(), 'questions.json');
  const plain = market().map(({ symbol, bars: { timestampUs, ...columns }, splits }) => ({
    ...{ symbol, splits, days: Array.from(timestampUs, (us) => Number(us / MICROS_PER_DAY)) },
    ...Object.fromEntries(Object.entries(columns).map(([name, values]) => [name, [...values]])),
  }));
  writeFileSync(file, JSON.stringify({ market: plain, questions }));
  const text = execFileSync(python!, [PROGRAM, file], { encoding: 'utf8', maxBuffer: 2 ** 29 });
  return JSON.parse(text);
}

const near = (value: unknown) =>
  typeof value === 'number' && !Number.isInteger(value)
    ? expect.closeTo(value, 9)
    : Number.isNaN(value)
      ? null
      : value;

const dayOf = (date: unknown) => (typeof date === 'string' ? dayFromDate(date) : date);

it.skipIf(!python)('studies have the events, returns and statistics of the other program', () => {
  const answers = theirs<{ events: unknown[][]; summary: Record<string, unknown>[] }>(studies);
  let events = 0;
  for (const [i, study] of studies.entries()) {
    const { events: expected, summary } = answers[i];
    const text = textOf(study.where);
    const rows = ours(study, 'events').map((row) =>
      Object.entries(row).map(([name, value]) => (name.includes('date') ? dayOf(value) : value)),
    );
    const names = (all: unknown[][]) => all.map(([symbol, day]) => `${day} ${symbol}`);
    expect([text, ...names(rows)]).toEqual([text, ...names(expected)]);
    expect([text, differing(rows, expected, isNear(9))]).toEqual([text, []]);
    for (const [k, row] of ours(study, 'summary').entries()) {
      const wanted = Object.entries(summary[k]).map(([name, value]) => [name, near(value)]);
      expect([text, row]).toEqual([text, expect.objectContaining(Object.fromEntries(wanted))]);
    }
    events += rows.length;
  }
  expect(events).toBeGreaterThan(100 * STUDIES);
});

it.skipIf(!python)('ranks and the like have the values of the other program on a day', () => {
  const answers = theirs<[string, number | null][]>(sections);
  let values = 0;
  for (const [i, section] of sections.entries()) {
    const text = `${dateFromDay(section.day)} ${textOf(section.value)}`;
    const rows = sectionOf(section).map(([symbol, value]) => [
      symbol,
      Number.isNaN(value) ? null : value,
    ]);
    expect([text, differing(rows, answers[i], isNear(9))]).toEqual([text, []]);
    values += answers[i].filter(([, value]) => value !== null).length;
  }
  expect(values).toBeGreaterThan(5 * SECTIONS);
});
