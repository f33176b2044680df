/** Copies of real files with one change in each. Nothing crashes, and a reason is given. */

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { balanceSheet, shares, statements } from '../../../../src/base/datasets/filings.ts';
import { rowFault } from '../../../../src/ingest/rows/check-row.ts';
import { companyOutcome } from '../../../../src/ingest/vendors/sec/company-outcome.ts';
import { hasRealdata, realdata } from '../../../support/realdata.ts';
import { mutationsOf } from '../../support/mutations.ts';

const CIK = 1835632;
const SYMBOLS = [{ symbol: 'MRVL' }];
const CONCEPTS = ['RevenueFromContractWithCustomerExcludingAssessedTax', 'NetIncomeLoss', 'Assets'];

/** The newest facts of some concepts, enough for a statement and a balance sheet. */
function factsSample(): string {
  const { cik, entityName, facts } = JSON.parse(
    readFileSync(realdata('sec/companyfacts/CIK0001835632.json'), 'utf8'),
  );
  const kept = CONCEPTS.map((concept) => {
    const { units } = facts['us-gaap'][concept];
    return [concept, { units: { USD: units.USD.filter(isNew) } }];
  });
  return JSON.stringify({ cik, entityName, facts: { 'us-gaap': Object.fromEntries(kept) } });
}

const isNew = ({ filed, form }: { filed: string; form: string }) =>
  filed > '2026-05-01' && form === '10-Q';

function submissionsSample(): string {
  const json = JSON.parse(readFileSync(realdata('sec/submissions/CIK0001835632.json'), 'utf8'));
  const recent = Object.entries<unknown[]>(json.filings.recent).map(([name, list]) => [
    name,
    list.slice(0, 2),
  ]);
  return JSON.stringify({
    ...json,
    filings: { ...json.filings, recent: Object.fromEntries(recent) },
  });
}

function read(text: string) {
  try {
    return { name: 'file', json: JSON.parse(text) };
  } catch {
    return { name: 'file', json: undefined, damage: 'it is not JSON' };
  }
}

describe.skipIf(!hasRealdata)('a mutated file of a company', () => {
  it('of facts gives rows that can be checked, or a reason', () => {
    const sample = factsSample();
    const whole = companyOutcome(CIK, [read(sample)], SYMBOLS);
    expect(whole.rows.statements.length).toBeGreaterThan(0);
    let silent = 0;
    for (const { text } of mutationsOf(sample)) {
      const { rows, skipped, faults, factCount } = companyOutcome(CIK, [read(text)], SYMBOLS);
      const datasets = [
        [statements, rows.statements],
        [balanceSheet, rows.balanceSheets],
        [shares, rows.shares],
      ] as const;
      for (const [dataset, list] of datasets) {
        for (const row of list)
          expect(rowFault(dataset, { symbol: 'MRVL', ...row })).toSatisfy(isReason);
      }
      if (factCount === 0 && skipped.length + faults.length === 0) silent++;
    }
    // Without any facts that are read, no reason is needed.
    expect(silent).toBeLessThanOrEqual(6);
  });

  it('of submissions gives a company, or a reason', () => {
    const sample = submissionsSample();
    const whole = companyOutcome(CIK, [read(sample)], undefined);
    expect(whole.facts).toMatchObject([{ symbol: 'MRVL', sector: 'Technology', country: 'US' }]);
    for (const { text } of mutationsOf(sample)) {
      const { skipped, symbols, facts } = companyOutcome(CIK, [read(text)], undefined);
      if (skipped.length > 0) expect(symbols).toEqual([]);
      for (const { country } of facts) expect(country).toSatisfy(isCountry);
    }
  });
});

const isReason = (fault: unknown) => fault === undefined || typeof fault === 'string';
const isCountry = (country: unknown) => country === null || /^[A-Z]{2}$/.test(String(country));
