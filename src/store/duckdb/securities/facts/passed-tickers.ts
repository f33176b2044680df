import type { TickerFact, TickerUse } from './ticker-facts.ts';

/**
 * Replaces renames of one day that go through a ticker which nobody had. Renames of a day happen at
 * once: who had A the day before has B. If they form a ring, as `A TMP`, `B A`, `TMP B` do, and one
 * ticker of it has no bars, it only stood between two others. A ring of two of which one had no bar
 * before that day takes a rename back.
 */
export function passedThrough(facts: readonly TickerFact[], use: TickerUse): TickerFact[] {
  const renames = facts.filter(({ kind }) => kind === 'rename');
  const changed = new Map<TickerFact, TickerFact | undefined>();
  for (const ofDay of Map.groupBy(renames, ({ day }) => day).values()) {
    for (const ring of ringsOf(ofDay)) {
      const place = ring.findIndex(({ ticker }) => ticker === betweenOf(ring, use));
      if (place === -1) continue;
      const [into, out] = [ring.at(place - 1)!, ring[place]];
      changed.set(into, into.ticker === out.other ? undefined : { ...into, other: out.other });
      changed.set(out, undefined);
    }
  }
  return facts.flatMap((fact) => (changed.has(fact) ? (changed.get(fact) ?? []) : [fact]));
}

/** Returns the rings of renames, each in its order. */
function ringsOf(renames: readonly TickerFact[]): TickerFact[][] {
  const byTicker = new Map(renames.map((fact) => [fact.ticker, fact]));
  const seen = new Set<TickerFact>();
  const rings: TickerFact[][] = [];
  for (const first of renames) {
    const ring: TickerFact[] = [];
    for (let fact: TickerFact | undefined = first; fact && !seen.has(fact); ) {
      seen.add(fact);
      ring.push(fact);
      fact = byTicker.get(fact.other!);
      if (fact === first) rings.push(ring);
    }
  }
  return rings;
}

function betweenOf(ring: readonly TickerFact[], use: TickerUse): string | undefined {
  const unused = ring.filter(({ ticker }) => !use.has(ticker));
  if (unused.length === 1) return unused[0].ticker;
  if (unused.length > 1 || ring.length > 2) return undefined;
  const late = ring.filter(({ ticker, day }) => use.get(ticker)!.first >= day!);
  return late.length === 1 ? late[0].ticker : undefined;
}
