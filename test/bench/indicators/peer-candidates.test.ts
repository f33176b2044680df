/** Series that a peer refuses are left out of its times, and named. */

import { expect, it } from 'vitest';
import { syntheticUniverse } from '../../../bench/command/data/universe.ts';
import {
  checkOf,
  peerCandidate,
  type Skipped,
  skippedText,
} from '../../../bench/command/indicators/peer-candidates.ts';
import type { PeerDriver } from '../../../bench/command/peers/driver.ts';
import { barRows } from '../../../src/base/bars.ts';
import { indicatorRequests } from '../../../src/compute/indicators/indicator-request.ts';

const whole = syntheticUniverse(8, 100);
const lengths = [3, 100, 2, 1, 5, 4, 90, 2];
const bars = whole.bars.map((one, i) => barRows(one, 0, lengths[i]));
const universe = { ...whole, bars };
const requests = indicatorRequests('rsi:14', '1d');

/** Refuses series of fewer bars than it needs. */
function driverOf(barsMin: number, compared: number[] = []): PeerDriver {
  return {
    program: { name: 'Peer', version: '1', driven: 'a test' },
    symbolsMax: 8,
    offers: async () => true,
    values: async (_, place) => {
      compared.push(place);
      return {};
    },
    run: async () => 1,
    skipped: async (_mode, _request, count) =>
      lengths.slice(0, count).flatMap((length, place) => (length < barsMin ? [place] : [])),
    close: async () => {},
  };
}

const item = { item: 'rsi:14', requests };
const bench = { universe, sampleMs: 1000 };

it('counts the symbols that a peer takes, and names the others', async () => {
  const skipped: Skipped = new Map();
  const candidate = await peerCandidate(
    { driver: driverOf(15), mode: 'last' },
    item,
    bench,
    skipped,
  );
  expect(candidate).toMatchObject({ unitCount: 2, load: '2 symbols, 190 bars' });
  const [[program, places]] = skipped;
  const { symbols } = universe;
  const named = [symbols[0], symbols[2], symbols[3], symbols[4], symbols[5]].join(', ');
  expect(skippedText(program, places, universe)).toBe(
    `Peer takes no newest value of a series that has too few bars; left out for it: ${named} and 1 more`,
  );
});

it('has no row for a peer that takes no series', async () => {
  const pair = { driver: driverOf(1000), mode: 'last' } as const;
  expect(await peerCandidate(pair, item, bench, new Map())).toBeUndefined();
});

it('compares values over the longest series', async () => {
  const compared: number[] = [];
  await checkOf(driverOf(0, compared), requests[0], universe, new Map());
  expect(compared).toEqual([1, 6]);
});
