/** Insider transactions: each insider trades after the report of every third quarter. */

import type { DatasetRow } from '../base/datasets/dataset.ts';
import { dateFromDay } from '../base/time/dates.ts';
import { SESSIONS } from './levels.ts';
import { personName } from './names.ts';
import { roundToTick } from './prices.ts';
import { type Company, newYorkMs, recordSeed } from './quarters.ts';
import { integerAt, seedAt, uniformAt } from './random.ts';
import { sharesOn } from './universe.ts';

const OFFICERS = ['Chief Executive Officer', 'Chief Financial Officer', 'General Counsel'];
const TITLES = [...OFFICERS, 'Director', 'Director', '10% Owner'];
const TRADE_QUARTERS = 3;

/** Types and codes of transactions, each with its price as a part of the close. */
const GAINS = [
  ['buy', 'P', 1],
  ['buy', 'P', 1],
  ['award', 'A', 0],
  ['award', 'A', 0],
  ['exercise', 'M', 0.6],
] as const;
const LOSSES = [
  ['sell', 'S', 1],
  ['sell', 'S', 1],
  ['sell', 'S', 1],
  ['tax', 'F', 1],
  ['gift', 'G', 0],
] as const;

export function insiderRows({ security, quarters, close }: Company): DatasetRow[] {
  const { symbol, typicalCap } = security;
  return TITLES.flatMap((title, seat) => {
    const seed = seedAt(recordSeed(security, 3), seat);
    const isOwner = title === '10% Owner';
    const part = isOwner ? 0.12 : 2e-3 * (typicalCap / 1e9) ** -0.6;
    return quarters.flatMap(({ number, place: reportPlace }) => {
      if ((number + integerAt(seed, 1, TRADE_QUARTERS)) % TRADE_QUARTERS > 0) return [];
      const place = reportPlace + 2 + integerAt(seedAt(seed, 2), number, 28);
      const day = SESSIONS[place];
      const stake = sharesOn(security, day) * part * (0.5 + uniformAt(seed, 2));
      // The shares owned follow from the quarter alone; a transaction is the difference of two.
      const ownedIn = (of: number) =>
        Math.round(stake * (0.9 + 0.2 * uniformAt(seedAt(seed, 3), of)));
      const change = ownedIn(number) - ownedIn(number - TRADE_QUARTERS);
      if (change === 0) return [];
      const kinds = change > 0 ? GAINS : LOSSES;
      // Owners who are no officers trade on the market alone.
      const choice = isOwner ? 0 : integerAt(seedAt(seed, 4), number, kinds.length);
      const [transactionType, transactionCode, priceShare] = kinds[choice];
      return {
        symbol,
        insiderName: personName(seed),
        title,
        transactionType,
        transactionCode,
        transactionDate: day,
        shares: Math.abs(change),
        price: priceShare === 0 ? 0 : roundToTick(priceShare * close(place)),
        sharesOwnedAfter: ownedIn(number),
        filedAt: newYorkMs(SESSIONS[place + 1], 16, 30 + seat),
        isDerivative: 'false',
        securityTitle: 'Common Stock',
        direction: change > 0 ? 'acquired' : 'disposed',
        ownership: 'direct',
        isPlanned: 'false',
        accession: `sandbox-${symbol.toLowerCase()}-${dateFromDay(day)}-seat${seat + 1}`,
        line: 1,
      };
    });
  });
}
