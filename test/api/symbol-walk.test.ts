import { expect, it } from 'vitest';
import { type SymbolPlace, walkOn } from '../../src/api/symbol-walk.ts';
import type { Listings, ServingReader, Snapshot } from '../../src/store/serving/snapshot.ts';

/** Securities 1, 2, … by their symbols, in the order of the directory. */
function directory(...symbols: [id: number, symbol: string][]): Listings {
  const rows = symbols.toSorted(([, a], [, b]) => (a < b ? -1 : 1));
  return {
    symbol: rows.map(([, symbol]) => symbol),
    securityId: Uint32Array.from(rows, ([id]) => id),
  } as Partial<Listings> as Listings;
}

/** Pages of two, one of each version; a version is kept unless it is named in `dropped`. */
function walk(versions: readonly Listings[], dropped: readonly string[] = []): string[] {
  const seen: string[] = [];
  let place: SymbolPlace | undefined;
  for (const [number, listings] of versions.entries()) {
    const known = (id: string) => (dropped.includes(id) ? undefined : versions[Number(id)]);
    const reader = { listingsOf: known } as Partial<ServingReader> as ServingReader;
    const snapshot = { id: `${number}`, listings } as Partial<Snapshot> as Snapshot;
    const rows = [...listings.symbol.keys()];
    const { rest, placeOf } = walkOn(reader, snapshot, rows, place);
    const page = rest.slice(0, 2);
    seen.push(...page.map((row) => listings.symbol[row]));
    if (page.length > 0) place = placeOf(page[page.length - 1]);
  }
  return seen;
}

const before = directory([1, 'AAA'], [2, 'FB'], [3, 'GGG'], [4, 'ZZZ']);

// A place by name alone showed FB again as META, and never showed ZZZ once it was AAB.
it('goes on by the names of its first page', () => {
  const renamed = directory([1, 'AAA'], [2, 'META'], [3, 'GGG'], [4, 'AAB']);
  expect(walk([before, renamed, renamed])).toEqual(['AAA', 'FB', 'GGG', 'AAB']);
});

it('shows who takes a name that was left, beside the one who left it', () => {
  const reused = directory([1, 'AAA'], [2, 'META'], [3, 'GGG'], [4, 'ZZZ'], [7, 'FB']);
  const begun = directory([1, 'AAA'], [6, 'AAB'], [2, 'FB'], [3, 'GGG'], [4, 'ZZZ']);
  expect(walk([begun, reused, reused])).toEqual(['AAA', 'AAB', 'META', 'FB', 'GGG', 'ZZZ']);
});

it('goes by the newest names where the first version is not kept any more', () => {
  const renamed = directory([1, 'AAA'], [2, 'META'], [3, 'GGG'], [4, 'AAB']);
  expect(walk([before, renamed, renamed], ['0'])).toEqual(['AAA', 'FB', 'GGG', 'META']);
});

it('is the order of the directory while nothing is renamed', () => {
  const grown = directory([1, 'AAA'], [2, 'FB'], [3, 'GGG'], [4, 'ZZZ'], [5, 'HHH'], [6, 'BBB']);
  expect(walk([before, grown, grown])).toEqual(['AAA', 'FB', 'GGG', 'HHH', 'ZZZ']);
});
