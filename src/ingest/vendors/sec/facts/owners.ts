/** Equity of all owners, and what stands between it and liabilities. Pure. */

import { decimalSum } from '../../../../base/prices/decimals.ts';
import type { BALANCE_CONCEPTS } from '../concepts/concepts.ts';

type OwnerLines = Partial<Record<keyof typeof BALANCE_CONCEPTS, number>>;

/** The stated line goes first: equity of the parent may leave out preferred shares. */
export function minoritiesOf({
  wholeEquity,
  parentEquity,
  minorityInterest,
}: OwnerLines): number | null {
  if (minorityInterest !== undefined) return minorityInterest;
  return wholeEquity === undefined || parentEquity === undefined
    ? null
    : decimalSum([wholeEquity, -parentEquity]);
}

/** Returns what stands between liabilities and equity; null without a line of it. */
export function temporaryOf(picked: OwnerLines): number | null {
  const amounts = temporaryParts(picked).map((part) => picked[part]!);
  return amounts.length === 0 ? null : decimalSum(amounts);
}

export function temporaryParts(picked: OwnerLines): (keyof typeof BALANCE_CONCEPTS)[] {
  const given = (...parts: (keyof typeof BALANCE_CONCEPTS)[]) =>
    parts.filter((part) => picked[part] !== undefined);
  const whole = given('temporaryEquity');
  if (whole.length > 0) return whole;
  const minorities = given('redeemableMinorities');
  const others = given('redeemableUnits', 'redeemablePreferred', 'redeemableOthers');
  return [...given('redeemableShares'), ...(minorities.length > 0 ? minorities : others)];
}

/** Equity of all owners, so that assets are liabilities plus equity. */
export function equityOf({
  wholeEquity,
  parentEquity,
  minorityInterest,
}: OwnerLines): number | null {
  if (wholeEquity !== undefined) return wholeEquity;
  return parentEquity === undefined ? null : decimalSum([parentEquity, minorityInterest ?? 0]);
}

/**
 * Returns true if equity of all owners is another one than that of the balance sheet, as before an
 * adjustment that a note shows: equity of the parent alone is what liabilities leave of assets.
 */
export function isNotedEquity(picked: OwnerLines): boolean {
  const { totalAssets, liabilities, wholeEquity, parentEquity, minorityInterest } = picked;
  const isGiven = [totalAssets, liabilities, wholeEquity, parentEquity].every(
    (amount) => amount !== undefined,
  );
  if (!isGiven || minorityInterest !== undefined || wholeEquity === parentEquity) return false;
  return (
    temporaryParts(picked).length === 0 &&
    decimalSum([totalAssets!, -liabilities!, -parentEquity!]) === 0
  );
}
