/**
 * Counts how many served figures are those on the faces of real filings, by an independent oracle:
 * right, wrong, null though on the face, given though not found on it. Sets are loaded by the
 * command line, and figures are read from the store.
 *
 *   node bench/statements/accuracy.ts [--half design|final] [--column own|before]
 *     [--facts] [--list FIGURE] [--show ADSH]
 */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { benchFolder, tableFromRows } from '../harness.ts';
import { BY_HAND } from './by-hand.ts';
import { ORACLE_FIGURES, type OracleAnswer, type OracleFigure, oracleAnswer } from './oracle.ts';
import {
  type Column,
  type OracleFiling,
  oracleFilings,
  SAMPLES,
  sampleFolder,
} from './read-set.ts';
import { type ServedRow, servedRows } from './served-rows.ts';

const { values: options } = parseArgs({
  options: {
    half: { type: 'string' },
    column: { type: 'string', default: 'own' },
    facts: { type: 'boolean' },
    list: { type: 'string' },
    show: { type: 'string' },
  },
});

type Told = Partial<Record<OracleFigure, number | null>>;

/** Largest distance in days between a filing's last day and the month that its set rounds it to. */
const ROUNDED_DAYS = 16;

/** Filings are accepted until 22:00 in New York, on the next day of UTC. */
const ACCEPTED_MS = 30 * 3_600_000;

/** Rows of the filing's own period, as it leaves them: a filing that repeats all has none. */
function figuresOf(rows: readonly ServedRow[], filing: OracleFiling): Told {
  const { periodDay, filed, quarters, flowQuarters } = filing;
  const newest = (dataset: string, count: number) => {
    const isOwn = ({ period }: ServedRow) => period === (count === 4 ? 'annual' : 'quarterly');
    return rows
      .filter((row) => row.dataset === dataset && (dataset === 'balance_sheet' || isOwn(row)))
      .filter((row) => Date.parse(row.filedAt) < Date.parse(filed) + ACCEPTED_MS)
      .filter((row) => Math.abs(row.day - periodDay) <= ROUNDED_DAYS)
      .sort((x, y) => (x.filedAt < y.filedAt ? 1 : -1))[0];
  };
  const flows = flowQuarters === quarters ? newest('cash_flow', quarters) : undefined;
  return { ...newest('balance_sheet', 0), ...flows, ...newest('statements', quarters) } as Told;
}

type Verdict = 'right' | 'wrong' | 'null' | 'extra' | 'none';

function verdictOf(told: Told, answer: OracleAnswer, figure: OracleFigure): Verdict {
  const [own, face] = [told[figure] ?? undefined, answer[figure]];
  if (face === undefined) return own === undefined ? 'none' : 'extra';
  if (own === undefined) return 'null';
  return Math.abs(own - face) <= 1 ? 'right' : 'wrong';
}

const FLOWS: readonly OracleFigure[] = [
  'operatingCashFlow',
  'investingCashFlow',
  'financingCashFlow',
];

function isJudged({ quarters, flowQuarters }: OracleFiling, figure: OracleFigure): boolean {
  return !FLOWS.includes(figure) || flowQuarters === quarters;
}

function show({ name, form, faces }: OracleFiling, told: Told, answer: OracleAnswer): void {
  console.log(`${name} ${form}`);
  for (const { stmt, tag, label, value, shown } of Object.values(faces).flat()) {
    console.log(`${stmt} ${value}${shown === value ? '' : '!'} | ${label} | ${tag}`);
  }
  console.log('product', Object.fromEntries(ORACLE_FIGURES.map((one) => [one, told[one]])));
  console.log('oracle', answer);
}

/** Kinds of businesses with statements of their own, by the codes of industries. */
const KINDS: readonly (readonly [string, number, number])[] = [
  ['banks and brokers', 6000, 6299],
  ['insurers', 6300, 6411],
  ['real estate', 6500, 6799],
  ['utilities', 4900, 4999],
  ['retailers', 5200, 5999],
  ['others', 0, 9999],
];

const kindOf = ({ sic }: OracleFiling) =>
  KINDS.find(([, from, to]) => sic >= from && sic <= to)![0];

const VERDICTS = ['right', 'wrong', 'null', 'extra', 'none'] as const;

interface Judged {
  filing: OracleFiling;
  figure: OracleFigure;
  verdict: Verdict;
}

function judge(filing: OracleFiling, rows: readonly ServedRow[]): Judged[] {
  const told = figuresOf(rows, filing);
  const byHand = options.column === 'own' ? BY_HAND[filing.adsh] : undefined;
  const answer = { ...oracleAnswer(filing.faces), ...byHand };
  if (options.show === filing.adsh) show(filing, told, answer);
  return ORACLE_FIGURES.filter((one) => isJudged(filing, one)).map((figure) => {
    const verdict = verdictOf(told, answer, figure);
    // Of columns before, no figure was read by hand where the oracle reads another line.
    if (options.column === 'before' && figure in (BY_HAND[filing.adsh] ?? {})) {
      return { filing, figure, verdict: 'none' };
    }
    if (['all', figure].includes(options.list ?? '') && !['right', 'none'].includes(verdict)) {
      console.log(
        verdict,
        filing.adsh,
        figure,
        filing.name,
        filing.form,
        told[figure],
        answer[figure],
      );
    }
    return { filing, figure, verdict };
  });
}

/** Counts verdicts by a property, and the share that is right of what a face shows. */
function countsBy(judged: readonly Judged[], of: (one: Judged) => string): string[][] {
  return [...Map.groupBy(judged, of)].map(([name, own]) => {
    const counts = VERDICTS.map((one) => own.filter(({ verdict }) => verdict === one).length);
    const [right, wrong, missing] = counts;
    const share = (100 * right) / (right + wrong + missing);
    return [name, share.toFixed(1), ...counts.map(String)];
  });
}

async function run(): Promise<void> {
  const root = benchFolder();
  const judged: Judged[] = [];
  for (const [i, sample] of SAMPLES.filter(existsSync).entries()) {
    const { folder, connection } = await sampleFolder(sample, join(root, `${i}`), {
      column: options.column as Column,
      isFactsAlone: options.facts,
    });
    const all = await oracleFilings(connection);
    // Filers are split by their number: rules are made on one half, and counted on the other.
    const half = { design: 0, final: 1 }[options.half ?? ''];
    const filings = all.filter(({ cik }) => half === undefined || cik % 2 === half);
    const served = await servedRows(join(root, `store-${i}`), folder, all);
    for (const filing of filings) judged.push(...judge(filing, served.get(filing.cik) ?? []));
  }
  const header = ['', 'right %', 'right', 'wrong', 'null on the face', 'not found', 'neither'];
  console.log(`${new Set(judged.map(({ filing }) => filing)).size} filings`);
  for (const of of [
    ({ figure }: Judged) => figure,
    ({ filing }: Judged) => kindOf(filing),
    ({ filing }: Judged) => `${filing.year} ${filing.quarters === 4 ? 'annual' : 'quarterly'}`,
  ]) {
    console.log(tableFromRows(header, countsBy(judged, of)));
  }
}

if (SAMPLES.some(existsSync)) await run();
else console.log('skipped: no real sets of statements beside the project');
