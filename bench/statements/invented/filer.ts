/**
 * Invents statements of filers and knows the right figures of each by construction: sectors, concepts,
 * totals and parts, own concepts, signs, scale, notes, segments. Written from how filers write, not
 * from the lists of the product. The same seed gives the same filers.
 */

import type { SetFilingText, SetLine } from '../../../test/ingest/vendors/sec/support/set-text.ts';

/** Figures of a filer by construction; null if its filing does not show them. */
export type Truth = Record<string, number | null>;

export interface InventedFiler {
  sector: Sector;
  /** Kinds of difficulty that it has. */
  traits: string[];
  filing: SetFilingText;
  truth: Truth;
}

export const SECTORS = [
  'bank',
  'insurer',
  'reit',
  'utility',
  'retailer',
  'ifrs',
  'partnership',
  'biotech',
  'captive',
  'maker',
] as const;

export type Sector = (typeof SECTORS)[number];

/** Numbers between 0 and 1 (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export type Line = [tag: string, label: string, value: number, more?: Partial<SetLine>];

/** Concepts of filers that no taxonomy has. */
const OWN = new Set([
  ...['RevenuesTotalOfCompany', 'RevenuesOfFinancialProducts', 'SalesOfMachinery'],
  ...['MortgageLoansPayableNet', 'LeaseIncome', 'RegulatedElectricRevenue', 'RegulatedGasRevenue'],
  ...['UtilityRevenue', 'OtherItemsNet', 'BankOverdraftsAndLoans'],
]);

export const own = { taxonomy: 'own' } as const;
export const negated = { negating: true } as const;

/** Writes the statements of one filer. */
export class Filer {
  readonly traits: string[] = [];
  readonly truth: Truth = {};
  readonly lines: SetLine[] = [];
  /** Profit of all owners as the income statement tags it. */
  profit: Line = ['ProfitLoss', 'Net income', 0];
  depreciation: Line | undefined;
  readonly unit: number;
  readonly taxonomy: string;
  readonly #random: () => number;

  readonly sector: Sector;
  /** True if the statements have a column of the year before. */
  hasBefore = false;
  readonly day: string;

  constructor(sector: Sector, day: string, seed: number) {
    this.sector = sector;
    this.day = day;
    this.#random = randomFrom(seed);
    this.unit = this.pick([1, 1e3, 1e3, 1e5, 1e6, 1e6]);
    this.hasBefore = this.chance(0.5);
    this.taxonomy = sector === 'ifrs' ? 'ifrs' : 'us-gaap';
  }

  pick<T>(choices: readonly T[]): T {
    return choices[Math.floor(this.#random() * choices.length)];
  }

  chance(share: number): boolean {
    return this.#random() < share;
  }

  /** Marks a difficulty that the filer has by chance. */
  trait(name: string, share: number): boolean {
    const has = this.chance(share);
    if (has) this.traits.push(name);
    return has;
  }

  /** An amount between two, in whole units, never round by chance. */
  amount(least: number, most: number): number {
    const whole = Math.round(least + this.#random() * (most - least));
    return (whole + (whole % 10 === 0 ? 3 : 0)) * this.unit;
  }

  add(stmt: 'IS' | 'BS' | 'CF', [tag, label, value, more]: Line): void {
    const when = stmt === 'BS' ? this.day : `${this.day}/4`;
    const taxonomy = OWN.has(tag) ? 'own' : this.taxonomy;
    const before = `2023${this.day.slice(4)}${stmt === 'BS' ? '' : '/4'}`;
    this.lines.push({
      stmt,
      taxonomy,
      tag,
      label,
      values: {
        [when]: value,
        ...(this.hasBefore && { [before]: Math.round(value / this.unit / 3) * this.unit }),
      },
      ...more,
    });
  }

  /** A number of a note: no line of a statement. */
  note(tag: string, value: number, quarters = 0): void {
    const when = quarters === 0 ? this.day : `${this.day}/${quarters}`;
    this.lines.push({
      ...{ taxonomy: this.taxonomy, tag, label: tag },
      values: { [when]: value },
      isNote: true,
    });
  }

  /** The columns of segments, whose numbers are none of the whole company. */
  segment(tag: string, value: number, quarters: number): void {
    const when = quarters === 0 ? this.day : `${this.day}/${quarters}`;
    const segments = `BusinessSegments=${this.pick(['North', 'Finance', 'Retail'])};`;
    this.lines.push({ taxonomy: this.taxonomy, tag, values: { [when]: value }, segments });
  }
}

export const sum = (amounts: readonly number[]) => amounts.reduce((all, one) => all + one, 0);

/** Splits an amount in parts. */
export function split(f: Filer, whole: number, shares: readonly number[]): number[] {
  const units = whole / f.unit;
  const parts = shares.map((share) => Math.round(units * share));
  return [...parts, units - sum(parts)].map((part) => part * f.unit);
}
