/**
 * Combines the vintages of one adjusted series. Pure.
 *
 * Vintages are added from the oldest to the newest. Each serves every bar that it contains, and
 * brings older bars to its own basis by the factor that their common days show. A vintage without a
 * common day continues where the series ends.
 */

import type { Piece } from '../candles/series.ts';
import {
  type CommonBar,
  overlapSplice,
  type Section,
  type ServedVintage,
  type Splice,
  type VintageBars,
} from './factor.ts';
import type { Candidate } from './winner-pieces.ts';

/** A span of times in microseconds, within which a vintage may have bars at times of others. */
export interface Span {
  fromUs: number;
  toUs: number;
}

export interface CombinedVintages {
  pieces: Piece[];
  splices: Splice[];
}

/**
 * Returns the spans in which vintages may share times with another; undefined for one that can't.
 */
export function overlapSpans(vintages: readonly Candidate[]): (Span | undefined)[] {
  return vintages.map((one) => {
    let span: Span | undefined;
    for (const other of vintages) {
      const fromUs = Math.max(one.firstUs, other.firstUs);
      const toUs = Math.min(one.lastUs, other.lastUs);
      if (other === one || fromUs > toUs) continue;
      span = {
        fromUs: Math.min(fromUs, span?.fromUs ?? fromUs),
        toUs: Math.max(toUs, span?.toUs ?? toUs),
      };
    }
    return span;
  });
}

/**
 * @param vintages Newest first, at least one; all of one source and basis.
 * @param barsOf Bars of each series within its overlap span.
 */
export function combineVintages(
  vintages: readonly Candidate[],
  barsOf: ReadonlyMap<number, VintageBars>,
): CombinedVintages {
  const spans = overlapSpans(vintages);
  const served = new ServedBars();
  const splices: Splice[] = [];
  for (const [i, vintage] of [...vintages.entries()].reverse()) {
    const { seriesId } = vintage;
    const bars = spans[i] && barsOf.get(seriesId)!;
    const runs = runsOf(vintage, spans[i]);
    const common = bars ? served.commonWith(bars) : [];
    if (served.isCovered(common)) served.clear();
    else {
      const splice =
        bars && common.length > 0
          ? overlapSplice(common, bars, vintage.lastUs - served.lastUs())
          : served.gapSplice(vintage);
      splices.push({ seriesId, ...splice });
      served.scale(splice.sections ?? [{ fromUs: Number.NEGATIVE_INFINITY, ...splice }]);
    }
    served.add({ seriesId, factor: 1, bars, fromUs: Number.NEGATIVE_INFINITY, runs });
  }
  return { pieces: served.pieces(), splices };
}

function runsOf({ firstUs, lastUs }: Candidate, span: Span | undefined): Span[] {
  if (!span) return [{ fromUs: firstUs, toUs: lastUs }];
  const runs: Span[] = [];
  if (firstUs < span.fromUs) runs.push({ fromUs: firstUs, toUs: span.fromUs - 1 });
  if (lastUs > span.toUs) runs.push({ fromUs: span.toUs + 1, toUs: lastUs });
  return runs;
}

interface Added extends ServedVintage {
  /** Time from which on its bars have its factor. */
  fromUs: number;
  runs: readonly Span[];
}

interface ServedSpan extends Span {
  added: Added;
}

/** Bars that the vintages added so far serve. */
class ServedBars {
  #vintages: Added[] = [];
  /** Newest vintage that has a bar at a time, with its row, for times that vintages may share. */
  readonly #owner = new Map<number, { added: Added; row: number }>();

  commonWith({ timestampUs }: VintageBars): CommonBar[] {
    const common: CommonBar[] = [];
    for (const [newerRow, us] of timestampUs.entries()) {
      const owner = this.#owner.get(us);
      if (owner) common.push({ newerRow, older: owner.added, olderRow: owner.row });
    }
    return common;
  }

  /** Returns true if every served bar is a common one. */
  isCovered(common: readonly CommonBar[]): boolean {
    return this.#owner.size === common.length && this.#vintages.every(({ runs }) => !runs.length);
  }

  lastUs(): number {
    let lastUs = Number.NEGATIVE_INFINITY;
    for (const { toUs } of this.#spans()) lastUs = Math.max(lastUs, toUs);
    return lastUs;
  }

  clear(): void {
    this.#vintages = [];
    this.#owner.clear();
  }

  /** Multiplies the factors; the first section begins before all bars. */
  scale([first, ...later]: readonly Section[]): void {
    for (const { fromUs } of later) this.#cut(fromUs);
    for (const added of this.#vintages) {
      const section = later.findLast(({ fromUs }) => added.fromUs >= fromUs) ?? first;
      const { factor, splitFactor = factor } = section;
      const volumes = (added.splitFactor ?? added.factor) * splitFactor;
      added.factor *= factor;
      added.splitFactor = volumes === added.factor ? undefined : volumes;
    }
  }

  /** Cuts vintages in two at a time, so that the parts can have other factors. */
  #cut(atUs: number): void {
    this.#vintages = this.#vintages.flatMap((added) => {
      const within = (from: number, to: number) =>
        added.runs.flatMap(({ fromUs, toUs }) => {
          const run = { fromUs: Math.max(fromUs, from), toUs: Math.min(toUs, to) };
          return run.fromUs <= run.toUs ? [run] : [];
        });
      if (added.fromUs >= atUs) return [added];
      const later = { ...added, fromUs: atUs, runs: within(atUs, Number.POSITIVE_INFINITY) };
      added.runs = within(Number.NEGATIVE_INFINITY, atUs - 1);
      for (const [us, owner] of this.#owner) {
        if (owner.added === added && us >= atUs) owner.added = later;
      }
      return [added, later];
    });
  }

  add(added: Added): void {
    this.#vintages.push(added);
    for (const [row, us] of (added.bars?.timestampUs ?? []).entries()) {
      this.#owner.set(us, { added, row });
    }
  }

  /** Returns the splice of a vintage without a common bar, next to the nearest served bars. */
  gapSplice({ firstUs, lastUs }: Candidate): Omit<Splice, 'seriesId'> {
    let before: ServedSpan | undefined;
    let after: ServedSpan | undefined;
    for (const span of this.#spans()) {
      if (span.toUs < firstUs && span.toUs > (before?.toUs ?? Number.NEGATIVE_INFINITY))
        before = span;
      if (span.fromUs > firstUs && span.fromUs < (after?.fromUs ?? Number.POSITIVE_INFINITY)) {
        after = span;
      }
    }
    const none = { kind: 'apart', factor: 1, commonCount: 0, agreeingCount: 0 } as const;
    const afterGapUs = after ? Math.max(0, after.fromUs - lastUs) : Number.POSITIVE_INFINITY;
    if (before && firstUs - before.toUs <= afterGapUs) {
      const gap = { fromUs: before.toUs, toUs: firstUs, olderIsFirst: true };
      return { ...none, olderIds: [before.added.seriesId], gap };
    }
    const { added, fromUs } = after!;
    const gap = { fromUs: Math.min(lastUs, fromUs), toUs: fromUs, olderIsFirst: false };
    return { ...none, olderIds: [added.seriesId], gap };
  }

  pieces(): Piece[] {
    const pieces: Piece[] = [];
    for (const { fromUs, toUs, added } of this.#spans().sort((a, b) => a.fromUs - b.fromUs)) {
      const last = pieces.at(-1);
      const { seriesId, factor, splitFactor } = added;
      const isSame = last?.factor === factor && last.splitFactor === splitFactor;
      if (last?.seriesId === seriesId && isSame) last.toUs = toUs;
      else {
        const piece = { seriesId, fromUs, toUs, factor };
        pieces.push(splitFactor === undefined ? piece : { ...piece, splitFactor });
      }
    }
    return pieces;
  }

  #spans(): ServedSpan[] {
    const runs = this.#vintages.flatMap((added) => added.runs.map((run) => ({ ...run, added })));
    const bars = [...this.#owner].map(([us, { added }]) => ({ fromUs: us, toUs: us, added }));
    return [...runs, ...bars];
  }
}
