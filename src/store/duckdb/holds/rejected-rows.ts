/** Holds loads many of whose rows were rejected. */

import { HeldLoadError } from '../../../base/errors.ts';
import { limits } from '../../../base/limits.ts';
import type { LoadedFile } from '../candles/insert-rows.ts';
import type { CandleSegment } from '../connection/candle-segment.ts';
import { COUNTED, type LoadedRows, type LoadGuard, overShare } from './load-guard.ts';
import type { SeriesHold } from './series-hold.ts';

/** Names the files with the most rejected rows, if the input has several. */
export function worstFiles(segment: CandleSegment, files: readonly LoadedFile[]): string {
  const counts = new Map<string, number>();
  for (const { fileIndex, rejected } of files) {
    const { path } = segment.files[fileIndex];
    if (rejected > 0) counts.set(path, (counts.get(path) ?? 0) + rejected);
  }
  if (counts.size === 0 || new Set(segment.files.map(({ path }) => path)).size === 1) return '';
  const worst = [...counts].sort(([, a], [, b]) => b - a).slice(0, limits.sanity.shownMax);
  return `, ${worst.map(([path, count]) => `${count} of them in ${path}`).join(', ')}`;
}

type Counts = Pick<LoadedRows, 'accepted' | 'rejected'>;

/** @throws {HeldLoadError} too many rows are rejected. */
export function requireFewRejected(origin: string, counts: Counts, guard: LoadGuard): void {
  if (isHeld(counts, guard)) {
    throw new HeldLoadError(`${origin}: ${holdForRejected(counts, guard)}`);
  }
}

export function isHeld(counts: Counts, guard: LoadGuard): boolean {
  return isLookedAt(counts, guard) && holdForRejected(counts, guard) !== undefined;
}

export function isLookedAt(
  { accepted, rejected }: Counts,
  { isScheduled }: Pick<LoadGuard, 'isScheduled'>,
): boolean {
  return isScheduled || accepted + rejected >= limits.sanity.rowsMin;
}

export function holdForRejected(
  counts: Counts,
  { earlyRows }: Pick<LoadGuard, 'earlyRows'>,
): string | undefined {
  const rejected = counts.rejected - earlyRows();
  const rows = counts.accepted + rejected;
  const { rejectedShareMax: most } = limits.sanity;
  if (rejected <= rows * most) return undefined;
  return `${rejected} of ${rows} rows were rejected (${overShare(rejected / rows, most)})`;
}

/** Names the symbols with the most rejected rows, as many as leave few in the others. */
export function holdForRejectedSymbols(
  segment: CandleSegment,
  loaded: LoadedRows,
  guard: LoadGuard,
): SeriesHold | undefined {
  const counts = countsOf(segment, loaded.files);
  const bySymbol = [...Map.groupBy(counts, ({ fileIndex }) => loaded.symbols[fileIndex])]
    .map(([symbol, own]) => ({ symbol, ...sumOf(own) }))
    .filter(({ accepted }) => accepted > 0);
  const worst = bySymbol
    .filter(({ rejected }) => rejected > 0)
    .sort((a, b) => b.rejected - a.rejected)
    .slice(0, bySymbol.length - 1);
  let { accepted, rejected } = loaded;
  const found: { symbol: string; detail: string }[] = [];
  for (const one of worst) {
    accepted -= one.accepted;
    rejected -= one.rejected;
    const detail = `${one.rejected} of ${one.accepted + one.rejected}`;
    found.push({ symbol: one.symbol, detail });
    if (holdForRejected({ accepted, rejected }, guard) === undefined) {
      return { check: COUNTED[0], text: 'many of their rows were rejected', found };
    }
  }
  return undefined;
}

/** Returns true if small inputs together are large and have too many rejected rows. */
export function areHeld(inputs: readonly { counts: Counts; guard: LoadGuard }[]): boolean {
  const all = sumOf(inputs.map(({ counts }) => counts));
  const earlyRows = () => inputs.reduce((sum, { guard }) => sum + guard.earlyRows(), 0);
  return (
    isLookedAt(all, { isScheduled: false }) && holdForRejected(all, { earlyRows }) !== undefined
  );
}

export function sumOf(counts: readonly Counts[]): Counts {
  const sum = (name: keyof Counts) => counts.reduce((total, one) => total + one[name], 0);
  return { accepted: sum('accepted'), rejected: sum('rejected') };
}

/** Counts rows by file, refused lines with the rejected ones. */
export function countsOf({ files: stated }: CandleSegment, files: readonly LoadedFile[]) {
  return files.map(({ fileIndex, accepted, rejected }) => {
    const { refusedLines = 0 } = stated[fileIndex];
    return { fileIndex, accepted, rejected: rejected + refusedLines };
  });
}
