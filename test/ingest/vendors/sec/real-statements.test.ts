/** Statements of real filings of 2010: five companies read by hand, and the reason of each null. */

import { hash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { STATEMENT_RULES } from '../../../../src/base/companies/statement-rules.ts';
import { evidenceOf } from '../../../../src/base/datasets/evidence.ts';
import { dateFromDay } from '../../../../src/base/time/dates.ts';
import type { CompanyOutcome } from '../../../../src/ingest/vendors/sec/company-outcome.ts';
import { extractSet } from '../../../../src/ingest/vendors/sec/extract-set.ts';
import { listSets } from '../../../../src/ingest/vendors/sec/list-sets.ts';
import { setCompanies } from '../../../../src/ingest/vendors/sec/set-companies.ts';
import { hasRealdata, realdata } from '../../../support/realdata.ts';
import { inMemory } from '../../support/in-memory.ts';
import { testContext } from '../../support/segment-rows.ts';

type Figures = Record<string, number | string | null>;

interface ByHand {
  name: string;
  adsh: string;
  /** Last day, and the unit of the amounts below. */
  date: string;
  unit: number;
  figures: Figures;
}

/** Amounts as the pages of the filings have them. The set has no filing by IFRS. */
const BY_HAND: readonly ByHand[] = [
  {
    name: 'Fifth Third, a bank',
    adsh: '0001193125-10-112846',
    date: '2010-03-31',
    unit: 1e6,
    figures: {
      // Net interest income 897, noninterest income 627. Federal funds of 271 are no borrowings.
      ...{ revenue: 1524, costOfRevenue: null, interestExpense: 246, pretaxIncome: -22 },
      ...{ incomeTax: -12, netIncome: -10, eps: -0.09, epsDiluted: -0.09 },
      ...{ totalAssets: 112_651, totalLiabilities: 99_243, totalEquity: 13_408, cash: 2133 },
      ...{ totalDebt: 1359 + 10_947, goodwill: 2417, intangibleAssets: 94, currentAssets: null },
      ...{ operatingCashFlow: 910, investingCashFlow: 740, financingCashFlow: -1835 },
      ...{ changeInCash: -185, capitalExpenditure: 42, depreciationAmortization: 97 },
      ...{ dividendsPaid: 59, shareRepurchases: 1, debtRepaid: 971, interestPaid: 259 },
    },
  },
  {
    name: 'MetLife, an insurer',
    adsh: '0000950123-10-044487',
    date: '2010-03-31',
    unit: 1e6,
    figures: {
      ...{ revenue: 13_190, costOfRevenue: null, operatingIncome: null, pretaxIncome: 1191 },
      ...{ incomeTax: 358, netIncome: 835, minorityIncome: -1, eps: 0.98, epsDiluted: 0.97 },
      ...{ totalAssets: 565_566, totalLiabilities: 529_387, totalEquity: 36_179, cash: 9202 },
      ...{ totalDebt: 318 + 20_177 + 5297 + 3191, minorityInterest: 368, goodwill: 5049 },
      ...{ operatingCashFlow: 2871, investingCashFlow: -7598, financingCashFlow: 3845 },
      ...{ exchangeEffect: -28, changeInCash: -910, interestPaid: 258, taxesPaid: -88 },
    },
  },
  {
    name: 'Kimco, a REIT',
    adsh: '0001398432-10-000348',
    date: '2010-03-31',
    unit: 1e3,
    figures: {
      ...{ revenue: 227_004, interestExpense: 58_737, pretaxIncome: 32_247, incomeTax: -1915 },
      ...{ netIncome: 50_836, minorityIncome: 3874, eps: 0.1, epsDiluted: 0.1 },
      ...{ totalAssets: 10_262_463, totalLiabilities: 5_053_416, totalEquity: 5_109_771 },
      ...{ temporaryEquity: 99_276, minorityInterest: 278_224, cash: 137_437 },
      totalDebt: 3_053_342 + 1_453_654 + 17_470,
      ...{ operatingCashFlow: 143_186, investingCashFlow: -31_492, financingCashFlow: -96_315 },
      ...{ changeInCash: 15_379, dividendsPaid: 76_706, interestPaid: 30_210, taxesPaid: 74 },
    },
  },
  {
    name: 'Wisconsin Energy, a utility',
    adsh: '0000107815-10-000062',
    date: '2010-03-31',
    unit: 1e5,
    figures: {
      // Fuel and gas stand on lines of their own, without a total of costs of sales.
      ...{ revenue: 12_559, costOfRevenue: null, operatingIncome: 2297, pretaxIncome: 2017 },
      ...{ incomeTax: 719, netIncome: 1297, eps: 1.11, epsDiluted: 1.1 },
      // "Common equity" stands in the capitalization, beside preferred stock of a subsidiary.
      ...{ totalAssets: 127_215, totalEquity: 36_418, cash: 128 },
      totalDebt: 43_961 + 427 + 4780,
      ...{ operatingCashFlow: 3037, investingCashFlow: -1711, financingCashFlow: -1407 },
      ...{ changeInCash: -81, capitalExpenditure: 1946, dividendsPaid: 468 },
      ...{ shareRepurchases: 318, debtIssued: 5300, debtRepaid: 2617 },
    },
  },
  {
    name: 'Ross Stores, a retailer whose quarter ends on a Saturday',
    adsh: '0001206774-10-001420',
    date: '2010-05-01',
    unit: 1e3,
    figures: {
      ...{ revenue: 1_934_778, costOfRevenue: 1_406_082, grossProfit: 1_934_778 - 1_406_082 },
      ...{ sellingGeneralAdministrative: 294_472, operatingIncome: null, pretaxIncome: 231_836 },
      ...{ incomeTax: 89_489, netIncome: 142_347, eps: 1.19, epsDiluted: 1.16 },
      ...{ totalAssets: 2_882_607, totalEquity: 1_229_353, cash: 823_652, totalDebt: 150_000 },
      ...{ currentAssets: 1_859_744, currentLiabilities: 1_229_551, inventory: 908_065 },
      ...{ accountsPayable: 748_779, retainedEarnings: 566_590, shortTermInvestments: 1941 },
      ...{ operatingCashFlow: 189_181, investingCashFlow: -34_671, financingCashFlow: -99_201 },
      ...{ capitalExpenditure: 35_519, depreciationAmortization: 39_844, dividendsPaid: 19_613 },
    },
  },
];

/** Words of a line that is, or holds, a figure. */
const WORDS: Readonly<Record<string, RegExp>> = {
  inventory: /^BS (total )?inventor/i,
  goodwill: /^BS goodwill/i,
  accountsPayable: /^BS accounts payable/i,
  researchDevelopment: /^IS research/i,
  depreciationAmortization: /^CF depreciation/i,
  dividendsPaid: /^CF dividends paid/i,
  debtRepaid: /^CF repayments? of (long-term )?(debt|borrowings)/i,
};

const OTHERS = 45;

describe.skipIf(!hasRealdata)('statements of real filings', () => {
  let root: string;
  const companies: CompanyOutcome[] = [];
  /** Statements and labels of lines with an amount, by filing. */
  let shown: Map<string, string[]>;

  beforeAll(async () => {
    root = mkdtempSync(join(tmpdir(), 'tapeworks-'));
    const set = join(root, 'set');
    mkdirSync(set);
    shown = await writeSet(set);
    const path = join(root, 'set.jsonl.gz');
    const { sets } = await listSets([set]);
    await extractSet(sets[0], path, testContext(root, '2026-11-20T22:00:00Z'));
    const all = { has: () => true, get: (cik: number) => [{ symbol: `C${cik}` }] };
    companies.push(...(await Array.fromAsync(setCompanies([path], [], all as never))));
  });

  afterAll(() => rmSync(root, { recursive: true }));

  it.each(BY_HAND)('of $name', ({ adsh, date, unit, figures }) => {
    const rows = companies.map((company) => company.rows);
    const own = rows.flatMap(({ statements, balanceSheets, cashFlows }) =>
      [...statements, ...balanceSheets, ...cashFlows].filter(
        (row) =>
          row.accession === adsh && row.period === 'quarterly' && dateFromDay(row.date) === date,
      ),
    );
    const served: Record<string, unknown> = Object.assign({}, ...own);
    const isPerShare = (name: string) => name.startsWith('eps');
    const expected = Object.entries(figures).map(([name, value]) => [
      name,
      value === null || isPerShare(name) ? value : Number(value) * unit,
    ]);
    expect(Object.fromEntries(expected.map(([name]) => [name, served[String(name)]]))).toEqual(
      Object.fromEntries(expected),
    );
  });

  it('are those of the number of the rules: raise it if they change', () => {
    const rows = companies.map((one) => JSON.stringify(one.rows));
    expect([STATEMENT_RULES, hash('sha256', rows.join('\n')).slice(0, 16)]).toEqual([
      7,
      '2c3d2c758e49f6c5',
    ]);
  });

  it('name the lines that speak of a figure which none is known to be', () => {
    let count = 0;
    const unnamed: string[] = [];
    for (const { rows } of companies) {
      for (const row of [...rows.statements, ...rows.balanceSheets, ...rows.cashFlows]) {
        const evidence = evidenceOf({ ...row });
        for (const [field, word] of Object.entries(WORDS)) {
          if ((row as unknown as Figures)[field] !== null) continue;
          const lines = shown.get(`${row.accession} ${monthOf(row.date)}`) ?? [];
          if (!lines.some((label) => word.test(label))) continue;
          count++;
          if (!evidence[field]?.reason) unnamed.push(`${row.accession} ${field}`);
        }
      }
    }
    expect(unnamed).toEqual([]);
    expect(count).toBeGreaterThan(15);
  });
});

const monthOf = (day: number) => dateFromDay(day).slice(0, 7).replace('-', '');

/** Writes some filings of the sample as the SEC's text. @returns their lines by filing and month. */
async function writeSet(folder: string): Promise<Map<string, string[]>> {
  const table = (name: string) => `read_parquet('${realdata(`sec/fsds/2010q2.${name}.parquet`)}')`;
  const known = BY_HAND.map(({ adsh }) => `'${adsh}'`).join(', ');
  const text = `(FORMAT csv, DELIMITER '\t', HEADER, QUOTE '', ESCAPE '')`;
  return inMemory(async (connection) => {
    await connection.run(`CREATE TABLE taken AS SELECT adsh FROM ${table('sub')}
      ORDER BY adsh NOT IN (${known}), adsh LIMIT ${BY_HAND.length + OTHERS}`);
    for (const name of ['sub', 'num', 'pre']) {
      await connection.run(
        `CREATE TABLE ${name} AS FROM ${table(name)} SEMI JOIN taken USING (adsh)`,
      );
      await connection.run(`COPY ${name} TO '${join(folder, `${name}.txt`)}' ${text}`);
    }
    const reader = await connection.runAndReadAll(`
      SELECT concat(adsh, ' ', left(ddate::VARCHAR, 6)) AS key, list(DISTINCT concat(stmt, ' ', plabel))::VARCHAR[] AS labels
      FROM pre JOIN num USING (adsh, tag, version) JOIN sub USING (adsh)
      WHERE segments IS NULL AND coreg IS NULL AND value::DOUBLE <> 0 AND stmt IN ('IS', 'BS', 'CF')
        AND coalesce(try_cast(inpth AS DOUBLE), 0) = 0 AND left(ddate::VARCHAR, 6) = left(period::VARCHAR, 6)
        AND (stmt = 'BS' OR qtrs::INT = if(fp = 'FY', 4, 1)) GROUP BY ALL`);
    return new Map(
      reader.getRowObjectsJson().map(({ key, labels }) => [String(key), labels as string[]]),
    );
  });
}
