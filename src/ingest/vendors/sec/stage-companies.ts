import { STATEMENT_RULES } from '../../../base/companies/statement-rules.ts';
import type { DatasetRow } from '../../../base/datasets/dataset.ts';
import { dayFromMillis } from '../../../base/time/dates.ts';
import type { ReadFilings } from '../../../store/duckdb/rows/read-again.ts';
import type {
  FetchContext,
  Fetched,
  FetchedFacts,
  SkippedInput,
} from '../../contract/fetch-context.ts';
import { type SourceOptions, statedAsOf } from '../../contract/source-options.ts';
import { stageDatasetRows } from '../../rows/segment.ts';
import type { UncheckedRow } from '../../rows/stage-rows.ts';
import type { CompanyOutcome } from './company-outcome.ts';
import { COMPANY_DATASETS, type CompanyRows } from './company-rows.ts';
import { secLimits } from './limits.ts';

const SOURCE = 'sec';

interface StagedBatch {
  origin: string;
  /** True if the statements themselves were read, false for company facts. */
  isFace: boolean;
  skipped: SkippedInput[];
  /** True if no company of the run has a ticker: then it has failed. */
  isRefused?: boolean;
}

/**
 * Yields the facts first, so that the directory has the symbols before their rows. Repeated
 * content has the same id, whenever it was fetched: its as-of is that of its newest filing.
 */
export async function* stageCompanies(
  outcomes: readonly CompanyOutcome[],
  { origin, isFace, skipped, isRefused = false }: StagedBatch,
  options: SourceOptions,
  context: FetchContext,
): AsyncGenerator<Fetched> {
  const asked = outcomes.map((outcome) => ({ ...outcome, ...askedOf(outcome, options) }));
  const lost = [...lostCompanies(outcomes, isRefused), ...outcomes.flatMap((one) => one.skipped)];
  yield factsOf(asked, origin, [...skipped, ...lost]);
  const read = { rules: STATEMENT_RULES, filings: readFilings(asked, isFace) };
  for (const [dataset, rows] of COMPANY_DATASETS) {
    const head = { dataset, source: SOURCE, asOfUs: statedAsOf(options), origin, read };
    const unchecked = asked.flatMap((outcome) => [...rowsOf(outcome, rows)]);
    if (dataset === 'statements') unchecked.push(...asked.flatMap((one) => [...faultsOf(one)]));
    if (unchecked.length > 0) yield await stageDatasetRows(head, unchecked, context);
  }
}

/** The day of a filing's moment is in UTC. */
function readFilings(outcomes: readonly CompanyOutcome[], isFace: boolean): ReadFilings {
  const companies = outcomes.map(({ symbols, rows }) => ({
    tickers: symbols,
    filings: rows.filings.map(({ accession, filedAt, acceptedAt }) => {
      const knownDay = acceptedAt === null ? filedAt : dayFromMillis(acceptedAt);
      return [accession, filedAt, knownDay] as const;
    }),
  }));
  return { isFace, companies };
}

function askedOf(
  { symbols, facts }: CompanyOutcome,
  { symbols: wanted }: SourceOptions,
): Pick<CompanyOutcome, 'symbols' | 'facts'> {
  if (wanted === undefined) return { symbols, facts };
  return {
    symbols: symbols.filter((symbol) => wanted.includes(symbol)),
    facts: facts.filter(({ symbol }) => wanted.includes(symbol)),
  };
}

function factsOf(
  outcomes: readonly CompanyOutcome[],
  origin: string,
  skipped: SkippedInput[],
): FetchedFacts {
  const bySymbol = new Map(
    outcomes.flatMap(({ facts }) => facts).map((one) => [one.symbol, one] as const),
  );
  return {
    source: SOURCE,
    facts: [...bySymbol.values()],
    origin,
    skipped,
    rejectedByReason: new Map(),
  };
}

const nameOf = ({ cik }: CompanyOutcome) => `CIK${String(cik).padStart(10, '0')}`;

const NO_TICKER =
  'no ticker is known: give submissions or the SEC’s company_tickers.json too, or run ' +
  'backfill symbols first';

/** Companies without a symbol, whose rows could not be queried. Many are reported as one. */
function lostCompanies(outcomes: readonly CompanyOutcome[], isRefused: boolean): SkippedInput[] {
  const reason = { reason: NO_TICKER, ...(isRefused && { isRefused }) };
  const lost = outcomes.filter(
    ({ symbols, rows }) =>
      symbols.length === 0 && COMPANY_DATASETS.some(([, name]) => rows[name].length > 0),
  );
  if (lost.length <= secLimits.lostListedMax) {
    return lost.map((outcome) => ({ name: nameOf(outcome), ...reason }));
  }
  return [{ name: `${lost.length} companies`, ...reason }];
}

function* rowsOf(outcome: CompanyOutcome, name: keyof CompanyRows): Generator<UncheckedRow> {
  const place = nameOf(outcome);
  for (const symbol of outcome.symbols) {
    for (const row of outcome.rows[name]) {
      // The check fills rows in place, and each symbol has its own row.
      const ofSymbol: DatasetRow = { symbol, ...row };
      yield { row: ofSymbol, name: place };
    }
  }
}

function* faultsOf(outcome: CompanyOutcome): Generator<UncheckedRow> {
  for (const [reason, count] of outcome.faults) {
    const listed = Math.min(count, secLimits.faultsListedMax);
    for (let nth = 0; nth < listed; nth++) yield { reason, name: nameOf(outcome) };
  }
}
