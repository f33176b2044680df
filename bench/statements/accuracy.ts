/**
 * Counts how many figures of the product are those on the faces of real filings, by an independent
 * oracle: right, wrong, null though on the face, given though not found on it.
 *
 *   node bench/statements/accuracy.ts [--half design|final] [--list FIGURE] [--show ADSH]
 */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { CompanyRows } from '../../src/ingest/vendors/sec/company-rows.ts';
import { benchFolder, tableFromRows } from '../harness.ts';
import { ORACLE_FIGURES, type OracleAnswer, type OracleFigure, oracleAnswer } from './oracle.ts';
import { closures, productRows } from './product-rows.ts';
import { type OracleFiling, openSample, oracleFilings } from './read-set.ts';

const SAMPLE = fileURLToPath(new URL('../../../shared/realdata/sec/fsds/2010q2', import.meta.url));

const { values: options } = parseArgs({
  options: { half: { type: 'string' }, list: { type: 'string' }, show: { type: 'string' } },
});

type Told = Partial<Record<OracleFigure, number | null>>;

function figuresOf(rows: CompanyRows, { adsh, quarters, flowQuarters }: OracleFiling): Told {
  const period = quarters === 4 ? 'annual' : 'quarterly';
  const newest = <T extends { date: number; period: string; accession: string | null }>(
    list: readonly T[],
  ) =>
    list
      .filter((row) => row.accession === adsh && row.period === period)
      .sort((a, b) => b.date - a.date)[0];
  const sheets = rows.balanceSheets.filter(({ accession }) => accession === adsh);
  const [sheet] = sheets.sort((a, b) => b.date - a.date);
  const statement = newest(rows.statements);
  const flows = flowQuarters === quarters ? newest(rows.cashFlows) : undefined;
  return Object.assign({}, sheet, flows, statement) as Told;
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

async function run(): Promise<void> {
  const root = benchFolder();
  const folder = join(root, 'set');
  const all = await oracleFilings(await openSample(SAMPLE, folder));
  // Filers are split by their number: rules are made on one half, and counted on the other.
  const half = { design: 0, final: 1 }[options.half ?? ''];
  const filings = all.filter(({ cik }) => half === undefined || cik % 2 === half);
  const companies = await productRows(
    root,
    folder,
    filings.map(({ cik }) => cik),
  );
  const told = new Map(
    filings.flatMap((filing) => {
      const own = companies.get(filing.cik);
      return own ? [[filing.adsh, figuresOf(own, filing)] as const] : [];
    }),
  );
  const rows: string[][] = [];
  for (const isAnnual of [true, false]) {
    const own = filings.filter(({ quarters }) => (quarters === 4) === isAnnual);
    for (const figure of ORACLE_FIGURES) {
      const counts: Record<Verdict, number> = { right: 0, wrong: 0, null: 0, extra: 0, none: 0 };
      for (const filing of own.filter((one) => isJudged(one, figure))) {
        const [mine, answer] = [told.get(filing.adsh) ?? {}, oracleAnswer(filing.faces)];
        const verdict = verdictOf(mine, answer, figure);
        counts[verdict]++;
        if (options.show === filing.adsh && figure === 'revenue') show(filing, mine, answer);
        if (options.list === figure && !['right', 'none'].includes(verdict)) {
          console.log(verdict, filing.adsh, filing.name, filing.form, mine[figure], answer[figure]);
        }
      }
      rows.push([isAnnual ? 'annual' : 'quarterly', figure, ...Object.values(counts).map(String)]);
    }
  }
  const header = [
    '',
    'figure',
    'right',
    'wrong',
    'null on the face',
    'given, not found',
    'neither',
  ];
  console.log(`\n${filings.length} filings\n${tableFromRows(header, rows)}`);
  console.table(closures(companies.values()));
}

if (existsSync(`${SAMPLE}.num.parquet`)) await run();
else console.log('skipped: no real sets of statements beside the project');
