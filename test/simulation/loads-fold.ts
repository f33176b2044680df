/**
 * Bars that are served after some files of traded prices, in plain code, by the rules of
 * docs/files.md: for each day the newest file that has it counts. The stated as-of, else the last
 * day decides which file is newer, then the time of its change. A file that replaces another at its
 * path is at least as new.
 */

/** A file that a command loads. */
export interface Load {
  symbol: string;
  /** Values by day. */
  bars: Map<number, string>;
  name: string;
  /** Time of its last change; of no two files the same. */
  modifiedS: number;
  /** Stated as-of. */
  asOfDay: number | undefined;
}

/** Returns the served values of a symbol by day. */
export function servedAfter(loads: readonly Load[], symbol: string): Map<number, string> {
  const served = new Map<number, string>();
  const own = loads.filter((load) => load.symbol === symbol);
  const ages = new Map(own.map((load) => [load, asOfDay(load, own)]));
  const oldestFirst = own.toSorted(
    (a, b) => ages.get(a)! - ages.get(b)! || a.modifiedS - b.modifiedS,
  );
  for (const { bars } of oldestFirst) for (const [day, bar] of bars) served.set(day, bar);
  return served;
}

/** Returns the days of the last load on which other values are served. */
export function unservedBy(loads: readonly Load[]): number[] {
  const { symbol, bars } = loads.at(-1)!;
  const served = servedAfter(loads, symbol);
  return [...bars].flatMap(([day, bar]) => (served.get(day) === bar ? [] : day));
}

function asOfDay(load: Load, others: readonly Load[]): number {
  if (load.asOfDay !== undefined) return load.asOfDay;
  const before = others.filter(
    ({ name, modifiedS }) => name === load.name && modifiedS < load.modifiedS,
  );
  return Math.max(...load.bars.keys(), ...before.map((other) => asOfDay(other, others)));
}
