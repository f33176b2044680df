/** Finds series that are two securities end to end, by what changes where one part meets another. */

import type { DuckDBConnection } from '@duckdb/node-api';
import { MICROS_PER_DAY } from '../../base/bars.ts';
import { selectRows } from '../../store/duckdb/connection/sql-rows.ts';
import { FAR_RATIO } from './bar-versions.ts';
import { REPEATED_HEADER } from './row-rules.ts';
import {
  applyVerdicts,
  type DoubledRows,
  type DoubledStamp,
  nameThem,
  SEVERAL,
} from './several-securities.ts';

/** Rows of a series one after another in the file, between two seams. */
interface Part {
  series: number;
  file: number;
  /** Start of the part: the header again, dates that restart, or another identity alone. */
  seam: 'header' | 'restart' | 'identity';
  line: number;
  rows: number;
  firstUs: number;
  lastUs: number;
  firstDay: string;
  lastDay: string;
  open: number;
  close: number;
  /** Values of the columns that tell who the security is, by name. */
  identity: string | null;
}

/** Parts from which the rows are in no order. */
const PARTS_MAX = 50;
const ROWS_MIN = 3;
/** Bars of a part that may all be faults of one that has others on their days. */
const FAULTS_MAX = 4;
/** Days over which a price may move further than from one bar to the next. */
const NEAR_DAYS = 10;
const FAR_RATIO_LATER = 3;

const SEAMS: Record<Part['seam'], string> = {
  header: 'repeats the header',
  restart: 'starts the dates again',
  identity: 'is of another one',
};

/**
 * Refuses such series of `judged`. A part is of another security if its columns of identity say so,
 * or if its prices do not continue those of the part before it in time.
 */
export async function refuseSeams(
  connection: DuckDBConnection,
  { doubled, symbolColumns, isDuplicateSql }: DoubledRows,
): Promise<void> {
  const parts = await partsOfSeries(connection, isDuplicateSql);
  const verdicts = [...Map.groupBy(parts, ({ series }) => series).entries()].flatMap(
    ([series, own]) => {
      const far = doubled.filter((stamp) => stamp.series === series && isFarApart(stamp));
      const fact = own.length > PARTS_MAX ? undefined : seamFact(own, far);
      if (fact === undefined) return [];
      const advice = nameThem(symbolColumns.get(own[0].file));
      const remedy = `put each into a file of its own or ${advice}, or say with --symbol that all rows are of one`;
      return [{ series, reason: `${SEVERAL} (${fact}): ${remedy}` }];
    },
  );
  await applyVerdicts(connection, verdicts, isDuplicateSql);
}

function isFarApart({ versions }: DoubledStamp): boolean {
  const closes = versions.map(({ close }) => close);
  return Math.max(...closes) > FAR_RATIO * Math.min(...closes);
}

/** Parts of the series that have several, by line. */
async function partsOfSeries(
  connection: DuckDBConnection,
  isDuplicateSql: string,
): Promise<Part[]> {
  const before = (column: string) => `lag(${column}) OVER by_line`;
  return selectRows<Part>(
    connection,
    `WITH rows AS (
       SELECT series, file_index, line, ts, open, close, identity, reason,
         count(*) FILTER (reason = '${REPEATED_HEADER}') OVER by_line AS headers
       FROM judged WHERE series IS NOT NULL
       WINDOW by_line AS (PARTITION BY series ORDER BY line)
     ), steps AS (
       SELECT *, ${before('headers')} AS headers_before, ${before('identity')} AS identity_before,
         sign(epoch_us(ts) - epoch_us(${before('ts')})) AS step
       FROM rows WHERE reason IS NULL OR ${isDuplicateSql}
       WINDOW by_line AS (PARTITION BY series ORDER BY line)
     ), seams AS (
       SELECT *, CASE WHEN headers > headers_before THEN 'header'
         WHEN step = -sign(sum(step) OVER (PARTITION BY series)) AND step <> 0 THEN 'restart'
         WHEN identity <> identity_before THEN 'identity' END AS seam
       FROM steps
     ), parts AS (
       SELECT *, count(seam) OVER (PARTITION BY series ORDER BY line) AS part FROM seams
       WHERE series IN (SELECT series FROM seams WHERE seam IS NOT NULL)
     )
     SELECT series, any_value(file_index) AS file, first(seam ORDER BY line) AS seam, min(line)::DOUBLE AS line,
       count(*)::DOUBLE AS rows, epoch_us(min(ts))::DOUBLE AS "firstUs",
       epoch_us(max(ts))::DOUBLE AS "lastUs", strftime(min(ts), '%Y-%m-%d') AS "firstDay",
       strftime(max(ts), '%Y-%m-%d') AS "lastDay", arg_min(open, ts) AS open,
       arg_max(close, ts) AS close, any_value(identity) AS identity
     FROM parts GROUP BY series, part ORDER BY series, part`,
  );
}

/** Returns what shows that parts of a series are two securities. */
function seamFact(parts: readonly Part[], far: readonly DoubledStamp[]): string | undefined {
  const long = parts.filter(({ rows }) => rows >= ROWS_MIN);
  const byTime = long.toSorted((a, b) => a.firstUs - b.firstUs);
  for (const [at, part] of byTime.slice(1).entries()) {
    const earlier = byTime[at];
    // The later part in the file begins with the seam.
    const { seam, line } = part.line > earlier.line ? part : earlier;
    const fact = changeFact(earlier, part, seam) ?? overlapFact(earlier, part, far);
    if (fact !== undefined) return `line ${line} ${SEAMS[seam]}, and ${fact}`;
  }
  return undefined;
}

/** Returns what changes between parts that follow one another in time. */
function changeFact(earlier: Part, part: Part, seam: Part['seam']): string | undefined {
  const { changes, kept } = comparedNames(earlier, part);
  const isLasting = (name: string) => LASTING_IDS.has(plain(name));
  // A reverse split gives a share new numbers, all at once.
  const kinds = new Set(changes.map((name) => (SHARE_IDS.has(plain(name)) ? 'number' : name)));
  const isOther = changes.some(isLasting) || (kinds.size >= CHANGES_MIN && !kept.some(isLasting));
  if (isOther) {
    const names = changes.map((name) => `"${name}"`).join(' and ');
    return `${names} change${changes.length === 1 ? 's' : ''} there`;
  }
  // A single name of a company, or a number that goes with it, changes with a rename, too.
  if (seam === 'identity' || part.firstUs <= earlier.lastUs) return undefined;
  const days = (part.firstUs - earlier.lastUs) / Number(MICROS_PER_DAY);
  const ratio = Math.max(part.open / earlier.close, earlier.close / part.open);
  if (ratio <= (days <= NEAR_DAYS ? FAR_RATIO : FAR_RATIO_LATER)) return undefined;
  return `the price goes from ${earlier.close} on ${earlier.lastDay} to ${part.open} on ${part.firstDay}`;
}

/** Returns a bar that both parts have, with prices far apart, unless few bars of one are all faults. */
function overlapFact(earlier: Part, part: Part, far: readonly DoubledStamp[]): string | undefined {
  const all = far.filter(({ us }) => us >= part.firstUs && us <= earlier.lastUs);
  const areFaults = part.lastUs <= earlier.lastUs && all.length <= FAULTS_MAX;
  if (all.length === 0 || areFaults) return undefined;
  const [common] = all;
  return `${common.day} closes at ${common.versions.map(({ close }) => close).join(' and ')}`;
}

/** Names of numbers that a security keeps through renames and splits. */
const LASTING_IDS: ReadonlySet<string> = new Set([
  ...['id', 'permno', 'permco', 'gvkey', 'cik', 'conid', 'instrumentid', 'securityid', 'secid'],
]);
/** Names of numbers that a share changes at once. */
const SHARE_IDS: ReadonlySet<string> = new Set(['cusip', 'isin', 'sedol', 'wkn']);
const CHANGES_MIN = 2;

const plain = (name: string) => name.replace(/[^a-z]/gi, '').toLowerCase();

/** Columns of identity with values in both parts, by whether they change. */
function comparedNames({ identity }: Part, other: Part): { changes: string[]; kept: string[] } {
  const [a, b] = [identity, other.identity].map(
    (text) => JSON.parse(text ?? '{}') as Record<string, string | null>,
  );
  const names = Object.keys(a).filter((name) => a[name] && b[name]);
  return {
    changes: names.filter((name) => a[name] !== b[name]),
    kept: names.filter((name) => a[name] === b[name]),
  };
}
