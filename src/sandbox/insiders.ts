/**
 * Insider transactions: a person trades after the report of every third quarter. The shares owned
 * follow from the quarter alone, and a transaction is the step from one quarter to the other.
 */

import type { DatasetRow } from '../base/datasets/dataset.ts';
import { dateFromDay } from '../base/time/dates.ts';
import { SESSIONS } from './levels.ts';
import { personName } from './names.ts';
import { closesOf, roundToTick } from './prices.ts';
import { type Company, newYorkMs, type Quarter, recordSeed } from './quarters.ts';
import { integerAt, seedAt, uniformAt } from './random.ts';
import { type SandboxSecurity, sharesOn } from './universe.ts';

const OFFICERS = ['Chief Executive Officer', 'Chief Financial Officer', 'General Counsel'];
const TITLES = [...OFFICERS, 'Director', 'Director', '10% Owner'];
const TRADE_QUARTERS = 3;
/** One in 20 filings counts a share too many, and is amended a session later. */
const AMENDED_EVERY = 20;

/** Kinds and codes of transactions, each with its price as a part of the close. */
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

interface Trade {
  /** Place of the session. */
  place: number;
  kind: (typeof GAINS | typeof LOSSES)[number];
  shares: number;
  ownedAfter: number;
}

export function insiderRows({ security, quarters }: Company): DatasetRow[] {
  const close = closesOf(security);
  return TITLES.flatMap((_, seat) =>
    quarters.flatMap((quarter) => {
      const trade = tradeOf(security, seat, quarter);
      return trade ? filingRows(security, seat, trade, close(trade.place)) : [];
    }),
  );
}

function seatSeed(security: SandboxSecurity, seat: number): number {
  return seedAt(recordSeed(security, 3), seat);
}

/** Returns what the person in a seat trades after a quarter's report. */
function tradeOf(
  security: SandboxSecurity,
  seat: number,
  { number, place: reportPlace }: Quarter,
): Trade | undefined {
  const seed = seatSeed(security, seat);
  if ((number + integerAt(seed, 1, TRADE_QUARTERS)) % TRADE_QUARTERS > 0) return undefined;
  const place = reportPlace + 2 + integerAt(seedAt(seed, 2), number, 28);
  const isOwner = TITLES[seat] === '10% Owner';
  const part = isOwner ? 0.12 : 2e-3 * (security.typicalCap / 1e9) ** -0.6;
  const stake = sharesOn(security, SESSIONS[place]) * part * (0.5 + uniformAt(seed, 2));
  const ownedIn = (of: number) => Math.round(stake * (0.9 + 0.2 * uniformAt(seedAt(seed, 3), of)));
  const ownedAfter = ownedIn(number);
  const step = ownedAfter - ownedIn(number - TRADE_QUARTERS);
  if (step === 0) return undefined;
  const kinds = step > 0 ? GAINS : LOSSES;
  // Owners who are no officers trade on the market alone.
  const kind = kinds[isOwner ? 0 : integerAt(seedAt(seed, 4), number, kinds.length)];
  return { place, kind, shares: Math.abs(step), ownedAfter };
}

/** Returns the lines of a trade's filing; an exercise has one more, for the options used up. */
function filingRows(
  security: SandboxSecurity,
  seat: number,
  { place, kind, shares, ownedAfter }: Trade,
  close: number,
): DatasetRow[] {
  const seed = seatSeed(security, seat);
  const [transactionType, transactionCode, priceShare] = kind;
  const price = priceShare === 0 ? 0 : roundToTick(priceShare * close);
  const date = dateFromDay(SESSIONS[place]);
  const filing = {
    symbol: security.symbol,
    insiderName: personName(seed),
    title: TITLES[seat],
    transactionType,
    transactionCode,
    transactionDate: SESSIONS[place],
    price,
    filedAt: newYorkMs(SESSIONS[place + 1], 16, 30 + integerAt(seedAt(seed, 5), place, 300)),
    accession: `sandbox-${security.symbol.toLowerCase()}-${date}-seat${seat + 1}`,
  };
  const linesOf = (count: number) => {
    const worth = { shares: count, totalValue: Math.round(count * price * 100) / 100 };
    const line = { ...worth, sharesOwnedAfter: ownedAfter, isDerivative: 'false', line: 1 };
    const options = { ...line, sharesOwnedAfter: 0, isDerivative: 'true', line: 2 };
    return transactionType === 'exercise' ? [line, options] : [line];
  };
  const rows = linesOf(shares).map((line) => ({ ...filing, ...line }));
  if (integerAt(seedAt(seed, 6), place, AMENDED_EVERY) > 0) return rows;
  const wrong = linesOf(shares + 1).map((line) => ({ ...filing, ...line }));
  const amendment = {
    filedAt: newYorkMs(SESSIONS[place + 2], 16, 30),
    accession: `${filing.accession}-amended`,
    amends: filing.accession,
  };
  return [...wrong, ...rows.map((row) => ({ ...row, ...amendment }))];
}
