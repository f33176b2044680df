/** Finds series that are two securities end to end, by what changes where one part meets another. */

import type { DuckDBConnection } from '@duckdb/node-api';
import { MICROS_PER_DAY } from '../../base/bars.ts';
import { dayFromMicros } from '../../base/time/dates.ts';
import { selectRows } from '../../store/duckdb/connection/sql-rows.ts';
import { sessionSteps } from '../timing/week-days.ts';
import { FAR_RATIO } from './bar-versions.ts';
import {
  areOtherSecurities,
  changesText,
  comparedIdentities,
  type Identities,
  keepsName,
  mayBeReorganised,
} from './identities.ts';
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
  /** Text of its column of symbols; empty without one. */
  symbol: string;
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
  /** Volumes of its first and last bars. */
  firstVolumes: number[];
  lastVolumes: number[];
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
/** Between the last close and the next open of one security, and of the volumes beside them. */
const PRICE_RATIO_MAX = 1.1;
const VOLUME_RATIO_MAX = 4;
const VOLUME_BARS = 20;

const SEAMS: Record<Part['seam'], string> = {
  header: 'repeats the header',
  restart: 'starts the dates again',
  identity: 'is of another one',
};

/**
 * Refuses such series of `judged`. A part is of another security if its columns of identity say so,
 * or if its prices do not continue those of the part before it in time.
 *
 * @returns notes on those that are kept although their numbers change.
 */
export async function refuseSeams(
  connection: DuckDBConnection,
  { doubled, symbolColumns, isDuplicateSql }: DoubledRows,
): Promise<string[]> {
  const parts = await partsOfSeries(connection, isDuplicateSql);
  const notes: string[] = [];
  const verdicts = [...Map.groupBy(parts, ({ series }) => series).entries()].flatMap(
    ([series, own]) => {
      const far = doubled.filter((stamp) => stamp.series === series && isFarApart(stamp));
      const advice = nameThem(symbolColumns.get(own[0].file));
      const fact = own.length > PARTS_MAX ? undefined : seamFact(own, far);
      if (fact === undefined) {
        if (own.length <= PARTS_MAX) notes.push(...reorganisationNotes(own, advice));
        return [];
      }
      const remedy = `put each into a file of its own or ${advice}, or say with --symbol that all rows are of one`;
      return [{ series, reason: `${SEVERAL} (${fact}): ${remedy}` }];
    },
  );
  await applyVerdicts(connection, verdicts, isDuplicateSql);
  return notes;
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
    // A series without any of these has no seam: nearly all, which one pass over few columns shows.
    `WITH turning AS (
       SELECT series FROM (
         SELECT series, reason, identity, sign(epoch_us(ts) - epoch_us(${before('ts')})) AS step
         FROM judged
         WHERE reason IS NULL OR reason = '${REPEATED_HEADER}' OR ${isDuplicateSql}
         WINDOW by_line AS (PARTITION BY series ORDER BY line))
       GROUP BY series HAVING bool_or(reason = '${REPEATED_HEADER}')
         OR min(identity) <> max(identity) OR min(step) * max(step) < 0
     ), rows AS (
       SELECT series, file_index, line, ts, open, close, volume, identity, reason,
         count(*) FILTER (reason = '${REPEATED_HEADER}') OVER by_line AS headers
       FROM judged WHERE series IN (FROM turning)
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
     SELECT series, any_value(file_index) AS file, any_value(symbol) AS symbol,
       first(seam ORDER BY line) AS seam, min(line)::DOUBLE AS line,
       count(*)::DOUBLE AS rows, epoch_us(min(ts))::DOUBLE AS "firstUs",
       epoch_us(max(ts))::DOUBLE AS "lastUs", strftime(min(ts), '%Y-%m-%d') AS "firstDay",
       strftime(max(ts), '%Y-%m-%d') AS "lastDay", arg_min(open, ts) AS open,
       arg_max(close, ts) AS close,
       arg_min(volume, ts, ${VOLUME_BARS}) AS "firstVolumes",
       arg_max(volume, ts, ${VOLUME_BARS}) AS "lastVolumes", any_value(identity) AS identity
     FROM parts LEFT JOIN (SELECT series, any_value(symbol_key) AS symbol FROM series_of GROUP BY series)
       USING (series)
     GROUP BY series, part ORDER BY series, part`,
  );
}

const longParts = (parts: readonly Part[]) =>
  parts.filter(({ rows }) => rows >= ROWS_MIN).toSorted((a, b) => a.firstUs - b.firstUs);

/** Returns what shows that parts of a series are two securities. */
function seamFact(parts: readonly Part[], far: readonly DoubledStamp[]): string | undefined {
  const byTime = longParts(parts);
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
  const identities = comparedIdentities([earlier.identity, part.identity]);
  if (areOtherSecurities(identities) && !isReorganised(earlier, part, identities)) {
    const verb = identities.changes.length === 1 ? 'changes' : 'change';
    return `${changesText(identities)} ${verb} there`;
  }
  // A single name of a company, or a number that goes with it, changes with a rename, too.
  if (seam === 'identity' || part.firstUs <= earlier.lastUs) return undefined;
  const days = (part.firstUs - earlier.lastUs) / Number(MICROS_PER_DAY);
  const ratio = Math.max(part.open / earlier.close, earlier.close / part.open);
  if (ratio <= (days <= NEAR_DAYS ? FAR_RATIO : FAR_RATIO_LATER)) return undefined;
  return `the price goes from ${earlier.close} on ${earlier.lastDay} to ${part.open} on ${part.firstDay}`;
}

/** Returns true if the numbers of one security change: its bars go on, on the next session. */
function isReorganised(earlier: Part, part: Part, identities: Identities): boolean {
  if (!mayBeReorganised(identities)) return false;
  const [last, first] = [earlier.lastUs, part.firstUs].map(dayFromMicros);
  if (first <= last || sessionSteps(last, first) !== 1) return false;
  const [before, after] = [earlier.lastVolumes, part.firstVolumes].map(median);
  return (
    isWithin(part.open, earlier.close, PRICE_RATIO_MAX) &&
    (keepsName(identities) || before * after === 0 || isWithin(after, before, VOLUME_RATIO_MAX))
  );
}

const isWithin = (a: number, b: number, ratio: number) => Math.max(a / b, b / a) <= ratio;
const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1];

/** Returns notes on parts of one security between which its numbers change. */
function reorganisationNotes(parts: readonly Part[], remedy: string): string[] {
  const byTime = longParts(parts);
  return byTime.slice(1).flatMap((part, at) => {
    const identities = comparedIdentities([byTime[at].identity, part.identity]);
    if (!areOtherSecurities(identities)) return [];
    const of = part.symbol === '' ? '' : ` of ${part.symbol}`;
    return [
      `${changesText(identities, true)}${of} change on ${part.firstDay}, and prices and volumes go on: kept as one security; if there are two, ${remedy}`,
    ];
  });
}

/** Returns a bar that both parts have, with prices far apart, unless few bars of one are all faults. */
function overlapFact(earlier: Part, part: Part, far: readonly DoubledStamp[]): string | undefined {
  const all = far.filter(({ us }) => us >= part.firstUs && us <= earlier.lastUs);
  const areFaults = part.lastUs <= earlier.lastUs && all.length <= FAULTS_MAX;
  if (all.length === 0 || areFaults) return undefined;
  const [common] = all;
  return `${common.day} closes at ${common.versions.map(({ close }) => close).join(' and ')}`;
}
