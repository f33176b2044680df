/** Makes the rows of companies from extracted sets: of one set, with filings of earlier ones. */

import { createInterface } from 'node:readline';
import { createGunzip } from 'node:zlib';
import { commonSymbols } from '../../../base/symbols/common-shares.ts';
import { createReadStream } from '../../../base/world/files.ts';
import { type CompanyOutcome, type Listing, statedFacts } from './company-outcome.ts';
import { type CompanyRows, companyRows } from './company-rows.ts';
import { parseSetFiling, type SetFiling } from './parse-set-filing.ts';

interface ExtractedCompany {
  cik: number;
  /** Filings whose rows are wanted, and others of the year before. */
  filings: SetFiling[];
  earlier: SetFiling[];
}

/**
 * Yields the companies of extracted sets that have a ticker, ascending.
 * @param earlierPaths Sets of the year before, which differences of quarters need.
 */
export async function* setCompanies(
  paths: readonly string[],
  earlierPaths: readonly string[],
  listings: ReadonlyMap<number, readonly Listing[]>,
): AsyncGenerator<CompanyOutcome> {
  for await (const company of joinedCompanies(paths, earlierPaths, (cik) => listings.has(cik))) {
    if (company.filings.length > 0) yield outcomeOf(company, listings.get(company.cik)!);
  }
}

/** Reads the files side by side, because all ascend by company. */
async function* joinedCompanies(
  paths: readonly string[],
  earlierPaths: readonly string[],
  isWanted: (cik: number) => boolean,
): AsyncGenerator<ExtractedCompany> {
  const all = [...paths, ...earlierPaths].map((path) => companiesIn(path, isWanted));
  const heads = await Promise.all(all.map((companies) => companies.next()));
  for (;;) {
    const ciks = heads.flatMap(({ done, value }) => (done ? [] : [value.cik]));
    if (ciks.length === 0) return;
    const company: ExtractedCompany = { cik: Math.min(...ciks), filings: [], earlier: [] };
    for (const [i, companies] of all.entries()) {
      const { done, value } = heads[i];
      if (done || value.cik !== company.cik) continue;
      (i < paths.length ? company.filings : company.earlier).push(...value.filings);
      heads[i] = await companies.next();
    }
    yield company;
  }
}

const CIK = /"cik":"?0*(\d{1,10})\b/;

async function* companiesIn(
  path: string,
  isWanted: (cik: number) => boolean,
): AsyncGenerator<{ cik: number; filings: SetFiling[] }> {
  const input = createGunzip();
  // `pipe` passes no errors on, and one that nobody hears ends the program.
  createReadStream(path)
    .on('error', (error) => input.destroy(error))
    .pipe(input);
  let filings: SetFiling[] = [];
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    const cik = Number(CIK.exec(line)?.[1]);
    if (!isWanted(cik)) continue;
    const filing = parseSetFiling(JSON.parse(line));
    if (!filing) continue;
    if (filings.length > 0 && filings[0].cik !== cik) {
      yield { cik: filings[0].cik, filings };
      filings = [];
    }
    filings.push(filing);
  }
  if (filings.length > 0) yield { cik: filings[0].cik, filings };
}

function outcomeOf(
  { cik, filings, earlier }: ExtractedCompany,
  listings: readonly Listing[],
): CompanyOutcome {
  const symbols = commonSymbols(listings.map(({ symbol }) => symbol));
  const all = [...earlier, ...filings].map((one) => withOneClass(one, symbols.length === 1));
  const acceptedMs = new Map(
    all.flatMap((one) => (one.acceptedMs === undefined ? [] : [[one.accession, one.acceptedMs]])),
  );
  const own = new Set(filings.map(({ accession }) => accession));
  const rows = companyRows({ cik, filings: all }, acceptedMs);
  return {
    cik,
    symbols,
    facts: listings.map((listing) => statedFacts(cik, listing, undefined)),
    rows: ownRows(rows, own, trueDays(all)),
    factCount: filings.reduce((sum, { facts }) => sum + facts.length, 0),
    faults: [],
    skipped: [],
  };
}

/** Takes amounts of the only class that has them for those of the only ticker. */
function withOneClass({ ofOneClass, ...filing }: SetFiling, isOnly: boolean) {
  if (ofOneClass.length === 0) return filing;
  if (isOnly) return { ...filing, facts: [...filing.facts, ...ofOneClass] };
  const concepts = ofOneClass.map(({ concept }) => concept);
  return { ...filing, apartByClass: new Set([...concepts, ...(filing.apartByClass ?? [])]) };
}

/** Finds the true day of a rounded one; undefined where filings do not show it. */
type TrueDay = (roundedDay: number) => number | undefined;

/**
 * A company whose periods end with the month has no other days. Of one that counts weeks, only
 * days of known filings are known.
 */
function trueDays(filings: readonly Omit<SetFiling, 'ofOneClass'>[]): TrueDay {
  const days = new Map<number, number>();
  let isOfMonths = true;
  for (const { form, roundedDay, periodDay } of filings) {
    if (roundedDay === undefined || periodDay === undefined || !/^(10|20|40)/.test(form)) continue;
    days.set(roundedDay, periodDay);
    isOfMonths &&= roundedDay === periodDay;
  }
  return (day) => days.get(day) ?? (isOfMonths ? day : undefined);
}

/** Selects the rows that filings of the set give, on their true days. */
function ownRows(
  { statements, balanceSheets, cashFlows, shares, filings }: CompanyRows,
  own: ReadonlySet<string>,
  dayOf: TrueDay,
): CompanyRows {
  const dated = <T extends { date: number; filedAt: number }>(rows: readonly T[]) =>
    rows.flatMap((row) => {
      const date = dayOf(row.date);
      return date === undefined ? [] : [{ ...row, date }];
    });
  const filed = <T extends { date: number; filedAt: number; accession: string | null }>(
    rows: readonly T[],
  ) => dated(rows.filter(({ accession }) => own.has(accession ?? '')));
  const moments = new Set(
    [...statements, ...balanceSheets]
      .filter(({ accession }) => own.has(accession ?? ''))
      .map(({ filedAt }) => filedAt),
  );
  return {
    statements: filed(statements),
    balanceSheets: filed(balanceSheets),
    cashFlows: filed(cashFlows),
    filings: filings.filter(({ accession }) => own.has(accession)),
    // The day of a cover page is between months, and rounded to one of them.
    shares: dated(shares.filter(({ kind, filedAt }) => kind !== 'cover' && moments.has(filedAt))),
  };
}
