/** Insiders of the sandbox: who sits in which seat of a company, and what they do in a quarter. */

import { typicalCap } from './business.ts';
import { sharesMultiplier } from './events.ts';
import { sandboxFactors } from './factors.ts';
import { sharesOn } from './fundamentals.ts';
import { personName } from './names.ts';
import { integerAt, seedAt, uniformAt } from './random.ts';
import { answeringSession, companySeed, firstReportAfter, fiscalQuarterOf } from './reporting.ts';
import type { SandboxSecurity } from './universe.ts';

type Role = 'officer' | 'director' | 'owner';
export type Deed = 'award' | 'tax' | 'exercise' | 'buy' | 'sell' | 'gift';

export interface Seat {
  title: string;
  role: Role;
}

export const SEATS: readonly Seat[] = [
  { title: 'Chief Executive Officer', role: 'officer' },
  { title: 'Chief Financial Officer', role: 'officer' },
  { title: 'Chief Operating Officer', role: 'officer' },
  { title: 'General Counsel', role: 'officer' },
  { title: 'Director', role: 'director' },
  { title: 'Director', role: 'director' },
  { title: 'Director', role: 'director' },
  { title: '10% Owner', role: 'owner' },
];

/** What a person in a seat did in the weeks after a quarter's report. */
export interface InsiderDeed {
  /** Of the quarter. */
  number: number;
  seat: number;
  insiderName: string;
  kind: Deed;
  /** A session. */
  day: number;
  shares: number;
  ownedAfter: number;
}

/** How likely each deed is in a quarter; the first that fits. Awards come with a year's report. */
const ODDS: Readonly<Record<Role, readonly (readonly [deed: Deed, odds: number])[]>> = {
  officer: [
    ['tax', 0.07],
    ['exercise', 0.06],
    ['sell', 0.09],
    ['buy', 0.05],
    ['gift', 0.01],
  ],
  director: [
    ['sell', 0.05],
    ['buy', 0.06],
    ['gift', 0.01],
  ],
  owner: [
    ['sell', 0.06],
    ['buy', 0.06],
  ],
};

/** Of what a person owns, at the most, by deed. */
const LARGEST_PART: Readonly<Record<Deed, number>> = {
  award: 0,
  tax: 0.04,
  exercise: 0.1,
  buy: 0.12,
  sell: 0.2,
  gift: 0.05,
};

const AT = { term: 1, person: 2, deed: 3, day: 4, size: 5, stake: 6, terms: 1000 } as const;
const TERM_QUARTERS_MIN = 20;
/** Quarters by which terms may be longer. */
const TERM_QUARTERS_MORE = 12;

/**
 * What those in a seat did in the weeks after the reports of some quarters, oldest first. Each
 * term is gone through from its start, so that what a person owns follows from what the person
 * did. The quarter before a company's first report stands for its listing, when officers get
 * their first award.
 */
export function deedsOfSeat(
  security: SandboxSecurity,
  seat: number,
  quarters: { from: number; to: number },
): InsiderDeed[] {
  const deeds: InsiderDeed[] = [];
  const seed = seedAt(companySeed(security, 'insiders'), seat);
  const listed = firstReportAfter(security, security.firstDay) - 1;
  const length = TERM_QUARTERS_MIN + integerAt(seed, AT.term, TERM_QUARTERS_MORE);
  const offset = integerAt(seed, AT.person, length);
  for (let term = Math.floor((Math.max(quarters.from, listed) + offset) / length); ; term++) {
    const start = Math.max(listed, term * length - offset);
    if (start > quarters.to) return deeds;
    const end = Math.min((term + 1) * length - offset, quarters.to + 1);
    const known = deedsOfTerm(security, seat, { start, end, term, listed });
    deeds.push(...known.filter(({ number }) => number >= quarters.from));
  }
}

interface Term {
  /** First quarter, and one past the last. */
  start: number;
  end: number;
  term: number;
  listed: number;
}

function deedsOfTerm(
  security: SandboxSecurity,
  seat: number,
  { start, end, term, listed }: Term,
): InsiderDeed[] {
  const { splits } = security.model;
  const { role } = SEATS[seat];
  const seed = seedAt(seedAt(companySeed(security, 'insiders'), seat), AT.terms + term);
  const insiderName = personName(seed);
  const deeds: InsiderDeed[] = [];
  let owned = 0;
  let basis = 0;
  for (let number = start; number < end; number++) {
    const isListing = number === listed;
    const day = isListing ? security.firstDay : deedDay(security, number, seed);
    if (day === undefined) break;
    const multiplier = sharesMultiplier(splits, day);
    // Parts of shares are paid out in cash; thirds are no exact numbers.
    owned =
      number === start
        ? stakeOf(security, role, seed, day)
        : Math.floor(owned * (multiplier / basis) + 1e-6);
    basis = multiplier;
    const kind = isListing ? firstDeed(role) : deedOf(security, role, number, seed);
    if (!kind) continue;
    const part = LARGEST_PART[kind] * uniformAt(seedAt(seed, AT.size), number);
    const shares = Math.max(
      1,
      kind === 'award' ? awardShares(security, day) : Math.round(owned * part),
    );
    if ((kind === 'sell' || kind === 'tax' || kind === 'gift') && shares >= owned) continue;
    // The first award is in the stake. What is exercised is sold at once.
    if (!isListing && kind !== 'exercise') {
      owned += kind === 'award' || kind === 'buy' ? shares : -shares;
    }
    deeds.push({ number, seat, insiderName, kind, day, shares, ownedAfter: owned });
  }
  return deeds;
}

/** Some weeks after the report; undefined past the calendar. */
function deedDay(security: SandboxSecurity, number: number, seed: number): number | undefined {
  const session = answeringSession(security, number);
  if (session === undefined) return undefined;
  return sandboxFactors().days[session + 2 + integerAt(seedAt(seed, AT.day), number, 28)];
}

function firstDeed(role: Role): Deed | undefined {
  return role === 'officer' ? 'award' : undefined;
}

function deedOf(
  security: SandboxSecurity,
  role: Role,
  number: number,
  seed: number,
): Deed | undefined {
  let chance = uniformAt(seedAt(seed, AT.deed), number);
  const isYearEnd = fiscalQuarterOf(security, number) === 4;
  if (isYearEnd && role !== 'owner' && chance < 0.85) return 'award';
  for (const [deed, odds] of ODDS[role]) {
    if (chance < odds) return deed;
    chance -= odds;
  }
  return undefined;
}

/** A year's pay in shares: some hundred thousand dollars' worth, millions at giants. */
function awardShares(security: SandboxSecurity, day: number): number {
  const part = 3e-4 * (typicalCap(security) / 1e9) ** -0.6;
  return Math.max(1, Math.round(sharesOn(security, day) * part));
}

/** What a person has on taking the seat. */
function stakeOf(security: SandboxSecurity, role: Role, seed: number, day: number): number {
  const size = uniformAt(seed, AT.stake);
  if (role === 'owner') return Math.round(sharesOn(security, day) * (0.1 + 0.1 * size));
  return Math.round(
    awardShares(security, day) * (role === 'officer' ? 4 + 12 * size : 1 + 4 * size),
  );
}
