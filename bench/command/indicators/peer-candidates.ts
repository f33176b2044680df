/** Peers of the bench of indicators: their candidates, and checks of their values. */

import { countText } from '../../../src/base/count-text.ts';
import type { IndicatorRequest } from '../../../src/compute/indicators/indicator-request.ts';
import type { Universe } from '../data/universe.ts';
import type { Candidate } from '../measure/rounds.ts';
import type { PeerDriver, PeerMode } from '../peers/driver.ts';
import { type Check, taskOf } from '../report/document.ts';
import { differenceKey } from './differences.ts';
import { compareOutputs } from './equality.ts';
import { NEXT_BARS } from './work.ts';

/** Series that are compared with each peer: the longest ones that it has. */
export const CHECKED_SERIES = 2;
/** Symbols whose whole history a streaming peer takes in before its new bars are timed. */
const NEXT_SYMBOLS_MAX = 100;

/** A candidate and the work of one run. */
export interface Timed extends Candidate {
  task: string;
  program: string;
  load: string;
  /** Bars or symbols of one run. */
  unitCount: number;
}

export interface Item {
  item: string;
  requests: readonly IndicatorRequest[];
}

export function loadText(symbolCount: number, barCount: number): string {
  return `${countText(symbolCount)} symbols, ${countText(barCount)} bars`;
}

export function barCountOf(series: Universe['bars']): number {
  return series.reduce((sum, { close }) => sum + close.length, 0);
}

/** Places of series that a program refuses, by its name. */
export type Skipped = Map<string, Set<number>>;

/** Symbols that a line names. */
const NAMED_MAX = 5;

export function skippedText(
  program: string,
  places: ReadonlySet<number>,
  { symbols }: Universe,
): string {
  const names = [...places].sort((a, b) => a - b).map((place) => symbols[place]);
  const more = names.length > NAMED_MAX ? ` and ${countText(names.length - NAMED_MAX)} more` : '';
  const list = `${names.slice(0, NAMED_MAX).join(', ')}${more}`;
  return `${program} takes no newest value of a series that has too few bars; left out for it: ${list}`;
}

/**
 * Gives a peer as many symbols as it computes in the time of a sample.
 *
 * @param skipped Receives the series that it refuses.
 * @returns undefined if it refuses all.
 */
export async function peerCandidate(
  { driver, mode }: { driver: PeerDriver; mode: PeerMode },
  { item, requests }: Item,
  { universe, sampleMs }: { universe: Universe; sampleMs: number },
  skipped: Skipped,
): Promise<Timed | undefined> {
  const run = async (count: number) => {
    let ms = 0;
    for (const request of requests) ms += await driver.run(mode, request, count);
    return ms;
  };
  // The first run compiles or imports; a process does so in each.
  if (!driver.isProcess) await run(1);
  const onceMs = await run(1);
  const fitting = Math.floor(sampleMs / Math.max(onceMs, 1e-3));
  const symbolsMax = mode === 'next' ? NEXT_SYMBOLS_MAX : driver.symbolsMax;
  const count = Math.max(1, Math.min(symbolsMax, universe.bars.length, fitting));
  const { name } = driver.program;
  const refused = new Set<number>();
  for (const request of requests) {
    for (const place of (await driver.skipped?.(mode, request, count)) ?? []) refused.add(place);
  }
  if (refused.size > 0) {
    skipped.set(name, (skipped.get(name) ?? new Set<number>()).union(refused));
  }
  const taken = universe.bars.slice(0, count).filter((_, place) => !refused.has(place));
  if (taken.length === 0) return undefined;
  const bars = barCountOf(taken);
  const symbolCount = taken.length;
  const unitCount =
    mode === 'written' ? bars : mode === 'last' ? symbolCount : symbolCount * NEXT_BARS;
  const id = `${mode} ${name}`;
  const load = loadText(symbolCount, mode === 'next' ? symbolCount * NEXT_BARS : bars);
  const candidate = { id, task: taskOf(mode, item), program: name, load, unitCount };
  return { ...candidate, isSingle: driver.isProcess === true, run: () => run(count) };
}

export async function checkOf(
  driver: PeerDriver,
  request: IndicatorRequest,
  { bars }: Universe,
  known: ReadonlyMap<string, string>,
): Promise<Check> {
  const { spec, params, key } = request;
  const { name } = driver.program;
  const results: Pick<Check, 'status' | 'detail'>[] = [];
  const own = bars.slice(0, driver.symbolsMax);
  const places = [...own.keys()].sort((a, b) => own[b].close.length - own[a].close.length);
  for (const place of places.slice(0, CHECKED_SERIES)) {
    const theirs = await driver.values(request, place);
    results.push(compareOutputs(spec.compute(bars[place], params), theirs, params.period));
  }
  const worst =
    results.find(({ status }) => status === 'different') ??
    results.find(({ status }) => status === 'settles') ??
    results[0];
  const documented = known.get(differenceKey(name, spec.name));
  const detail = [worst.detail, documented && `documented: ${documented}`].filter(Boolean);
  return { item: key, program: name, status: worst.status, detail: detail.join('; ') };
}
