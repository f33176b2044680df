import { createHash } from 'node:crypto';
import { latestCompletedSession } from '../../base/time/calendar.ts';
import type { SourceOptions } from '../contract/source-options.ts';
import type { CandleInput } from './prepare.ts';

/**
 * SHA-256 over the names and hashes of the files and the options that change their rows. Bars of
 * an open session change it once the session is complete, so that they are loaded then.
 */
export function externalSegmentId(
  sourceId: string,
  files: readonly CandleInput[],
  options: SourceOptions,
  nowMs: number,
): string {
  const latest = latestCompletedSession(nowMs);
  const isOpen = ({ stamps, dialect }: CandleInput) =>
    stamps === undefined && dialect.newestDay > latest;
  const hasBasisOfRows = ({ dialect }: CandleInput) => dialect.columns.adjustment !== undefined;
  const reading = {
    source: sourceId,
    basis: files[0].dialect.basis,
    symbol: options.symbol,
    symbols: options.symbols?.toSorted(),
    fromDay: options.fromDay,
    toDay: options.toDay,
    asOfUs: options.asOfUs?.toString(),
    dateOrder: options.dateOrder,
    interval: options.interval,
    zone: options.zone,
    stamps: options.stamps,
    // With `--basis`, the same files keep rows of another basis.
    hasBasisOfRows: files.some(hasBasisOfRows) || undefined,
    openUntil: files.some(isOpen) ? latest : undefined,
  };
  const hash = createHash('sha256').update(`${JSON.stringify(reading)}\n`);
  const lines = files.map(({ name, sha256 }) => `${sha256} ${name}\n`);
  for (const line of lines.toSorted()) hash.update(line);
  return hash.digest('hex');
}
