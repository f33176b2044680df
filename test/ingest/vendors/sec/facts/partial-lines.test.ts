/**
 * Single figures of 493 real filers, read by another program: 122 were a part of what the statement
 * shows, or held more. PG&E was served with 59 m of inventory for 255, Lincoln with no preferred
 * shares for 812 m.
 */

import { expect, it } from 'vitest';
import { withoutPartial } from '../../../../../src/ingest/vendors/sec/facts/partial-lines.ts';
import { linesOf } from '../face/support/shown-text.ts';

/** Reads a figure whose evidence is the lines of a concept. */
function told(field: string, concept: string, text: string) {
  const lines = linesOf(text);
  const own = lines.find((line) => line.concept.endsWith(`:${concept}`))!;
  const evidence = {
    [field]: { verdict: 'stated' as const, lines: [[own.concept, own.label, own.shown] as const] },
    temporaryEquity: {
      verdict: 'proved' as const,
      lines: lines
        .filter(({ label }) => /^redeemable\b/i.test(label))
        .map((line) => [line.concept, line.label, line.shown] as const),
    },
  };
  const made = { figures: { [field]: own.value }, candidates: {}, evidence };
  const { figures, evidence: now } = withoutPartial(made, lines);
  return figures[field] ?? now?.[field];
}

const MIXED = 'its line may hold something else';
const PART = 'the line may be a part of it, too';

it.each([
  [
    'inventory',
    'InventoryNet Gas stored underground 59\nRawSupplies Materials and supplies 196',
    `"Materials and supplies": ${PART}`,
  ],
  ['inventory', 'InventoryNet Inventories 59\nAssetsCurrent Total 90\nownOther Inventories 30', 59],
  [
    'inventory',
    'RawSupplies Materials and supplies 9\nRawOre Ore in underground storage 50\nInventoryNet Total inventories 59',
    59,
  ],
  [
    'preferredEquity',
    'PreferredStockValue Series A preferred stock 0\nownB Series B preferred stock 812',
    `"Series B preferred stock": ${PART}`,
  ],
  [
    'preferredEquity',
    'PreferredStockValue Redeemable preferred stock 257',
    '"Redeemable preferred stock": its line stands outside of equity',
  ],
  [
    'minorityInterest',
    'MinorityInterest Noncontrolling interests 174\nownVie Noncontrolling interests of funds 46',
    `"Noncontrolling interests of funds": ${PART}`,
  ],
  [
    'minorityInterest',
    'ownVie Redeemable noncontrolling interests 46\nMinorityInterest Noncontrolling interests 174',
    174,
  ],
  [
    'accountsPayable',
    'AccountsPayableCurrent Accounts payable and accrued expenses 530',
    `"Accounts payable and accrued expenses": ${MIXED}`,
  ],
  ['accountsPayable', 'AccountsPayableCurrent Accounts payable, trade 530', 530],
  [
    'receivables',
    'AccountsReceivableNetCurrent Unrelated parties 3041',
    `"Unrelated parties": ${MIXED}`,
  ],
  [
    'goodwill',
    'Goodwill Goodwill and other intangible assets 5313',
    `"Goodwill and other intangible assets": ${MIXED}`,
  ],
  [
    'intangibleAssets',
    'IntangibleAssetsNetExcludingGoodwill Intangible and other assets 30',
    `"Intangible and other assets": ${MIXED}`,
  ],
  [
    'interestExpense',
    'InterestExpense Interest expense (reversal) -10',
    `"Interest expense (reversal)": ${MIXED}`,
  ],
  ['interestExpense', 'InterestExpense Interest and other financing costs 10', 10],
  [
    'sellingGeneralAdministrative',
    'SellingGeneralAndAdministrativeExpense Insurance expenses 481',
    `"Insurance expenses": ${MIXED}`,
  ],
  [
    'sellingGeneralAdministrative',
    'SellingExpense Selling expenses 4\nGeneralExpense Administrative expenses 6\nSellingGeneralAndAdministrativeExpense Total operating expenses 10',
    10,
  ],
  [
    'shortTermInvestments',
    'AvailableForSaleSecuritiesCurrent Short-term investments 432\nownEquity Marketable equity securities 291\nAssetsCurrent Total 900',
    `"Marketable equity securities": ${PART}`,
  ],
  [
    'depreciationAmortization',
    'DepreciationAndAmortization Continuing operations 78',
    `"Continuing operations": ${MIXED}`,
  ],
  [
    'depreciationAmortization',
    'DepreciationAndAmortization Depreciation and amortization 23\nownOther Amortization of acquired intangible assets 22',
    `"Amortization of acquired intangible assets": ${PART}`,
  ],
  [
    'shareRepurchases',
    'PaymentsForRepurchaseOfCommonStock Shares withheld for taxes 40',
    `"Shares withheld for taxes": ${MIXED}`,
  ],
  [
    'shareRepurchases',
    'PaymentsForRepurchaseOfCommonStock Repurchase of common stock 94\nownTax Treasury stock purchased 7',
    `"Treasury stock purchased": ${PART}`,
  ],
])('%s of %s', (field, text, expected) => {
  const CONCEPTS =
    /\b(InventoryNet|AvailableForSaleSecuritiesCurrent|PreferredStockValue|MinorityInterest|AccountsPayableCurrent|AccountsReceivableNetCurrent|Goodwill|IntangibleAssetsNetExcludingGoodwill|InterestExpense|SellingGeneralAndAdministrativeExpense|DepreciationAndAmortization|PaymentsForRepurchaseOfCommonStock)\b/;
  // Company facts, which have the same amount, don't fill what the statement leaves unknown.
  const open = { verdict: null, reason: expected };
  const figure = told(field, CONCEPTS.exec(text)![0], text);
  expect(figure).toEqual(typeof expected === 'string' ? open : expected);
});
