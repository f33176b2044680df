import { describe, expect, it } from 'vitest';
import { dayFromDate } from '../../../src/base/time/dates.ts';
import { type InsiderRow, insiderSummary } from '../../../src/compute/companies/insider-summary.ts';
import { insiderTransaction as transaction } from '../support/insider-rows.ts';

const DAY = dayFromDate('2025-03-31');

const NOTHING = {
  netShares30d: 0,
  netValue30d: 0,
  netShares90d: 0,
  netValue90d: 0,
  buyCount90d: 0,
  sellCount90d: 0,
  mostRecentTransaction: null,
};

const buy = { transactionType: 'buy', transactionCode: 'P' } as const;

describe('insiderSummary', () => {
  it('is zeros and null without transactions', () => {
    expect(insiderSummary([], DAY)).toEqual(NOTHING);
  });

  it('has the decimals of its values', () => {
    const rows = [0.1, 0.2].map((shares) => transaction({ ...buy, shares, price: 1 }));
    const { netShares90d, netValue90d } = insiderSummary(rows, DAY);
    expect([netShares90d, netValue90d]).toEqual([0.3, 0.3]);
  });

  it('counts ordinary shares as receipts, and not before it is stated how many one is', () => {
    const securityTitle = 'Ordinary Shares';
    const ordinary = transaction({ ...buy, shares: 26, price: 2, securityTitle });
    const own = transaction({ ...buy, line: 2, shares: 3, price: 25, securityTitle: 'ADSs' });
    const sums = (rows: InsiderRow[], ratio?: number) => {
      const { netShares90d, netValue30d } = insiderSummary(rows, DAY, ratio);
      return [netShares90d, netValue30d];
    };
    expect(sums([ordinary, own], Number.NaN)).toEqual([null, null]);
    expect(sums([ordinary, own], 13)).toEqual([5, 127]);
    expect(sums([own], Number.NaN)).toEqual([3, 75]);
    // No source names the ticker a receipt, but its transactions do.
    expect(sums([ordinary, own])).toEqual([null, null]);
    expect(sums([ordinary])).toEqual([26, 52]);
    expect(sums([own])).toEqual([3, 75]);
  });

  it('adds buys, takes off sells, and counts 30 and 90 days apart', () => {
    const rows = [
      transaction({ ...buy, shares: 500, price: 12, filedAt: '2025-03-28T20:00:00Z' }),
      transaction({ shares: 200, price: 11, filedAt: '2025-03-10T20:00:00Z' }),
      transaction({ shares: 50, price: 9, filedAt: '2025-01-15T20:00:00Z' }),
    ];
    expect(insiderSummary(rows, DAY)).toEqual({
      netShares30d: 300,
      netValue30d: 3800,
      netShares90d: 250,
      netValue90d: 3350,
      buyCount90d: 1,
      sellCount90d: 2,
      mostRecentTransaction: rows[0],
    });
  });

  it.each([
    ['2025-03-31', 1, 1],
    ['2025-03-02', 1, 1],
    ['2025-03-01', 0, 1],
    ['2025-01-01', 0, 1],
    ['2024-12-31', 0, 0],
    ['2025-04-01', 0, 0],
  ])('counts a sale of 1 share filed on %s', (date, in30, in90) => {
    const { netShares30d, sellCount90d } = insiderSummary(
      [transaction({ shares: 1, filedAt: `${date}T00:00:00Z` })],
      DAY,
    );
    expect([netShares30d === -1, sellCount90d]).toEqual([in30 === 1, in90]);
  });

  it('takes the day of New York: 21:59 there is the next day in UTC', () => {
    const late = transaction({ filedAt: '2025-04-01T01:59:00Z' });
    expect(insiderSummary([late], DAY).sellCount90d).toBe(1);
  });

  it('leaves out awards, gifts and derivatives, which can be the most recent all the same', () => {
    const award = transaction({
      transactionType: 'award',
      transactionCode: 'A',
      filedAt: '2025-03-31T20:00:00Z',
    });
    const option = transaction({ ...buy, isDerivative: 'true', line: 2 });
    expect(insiderSummary([option, award], DAY)).toEqual({
      ...NOTHING,
      mostRecentTransaction: award,
    });
  });

  it('has no value if a transaction has no price, and no shares if one has no number', () => {
    const sale = transaction();
    const summary = insiderSummary([transaction({ ...buy, line: 2, price: null }), sale], DAY);
    expect(summary).toMatchObject({ netShares30d: 0, netValue30d: null, buyCount90d: 1 });
    const old = transaction({ ...buy, line: 3, shares: null, filedAt: '2025-01-15T20:00:00Z' });
    expect(insiderSummary([old, sale], DAY)).toMatchObject({
      ...{ netShares30d: -100, netValue30d: -1000 },
      ...{ netShares90d: null, netValue90d: null },
    });
  });

  it('gives the first line of the newest filing as the most recent, in any order', () => {
    const first = transaction({ line: 1 });
    const rows = [
      transaction({ line: 2 }),
      first,
      transaction({ filedAt: '2020-01-02T20:00:00Z' }),
    ];
    expect(insiderSummary(rows, DAY).mostRecentTransaction).toBe(first);
    expect(insiderSummary(rows.toReversed(), DAY).mostRecentTransaction).toBe(first);
  });
});

describe('a summary', () => {
  const today = dayFromDate('2025-03-04');
  const net = (rows: InsiderRow[]) => insiderSummary(rows, today).netShares30d;

  it.each([
    '6.00% Senior Notes due 2028',
    '7.25% Series B Cumulative Preferred Stock',
    'Convertible Debentures',
    'Warrants (right to buy)',
    'Restricted Stock Units',
    'Floating Rate Capital Securities',
    'Term Loan',
    'Limited Partnership Units',
    'OP Units',
    'Deferred Stock Units',
    'Restricted Share Units',
    'Preferred Stock Purchase Rights',
    'Limited Partnership Interests',
  ])('leaves out %s', (securityTitle) => {
    const rows = [transaction({ transactionType: 'buy' }), transaction({ line: 2, securityTitle })];
    expect(net(rows)).toBe(100);
  });

  it.each([
    'Common Stock',
    'Common Stock, par value $0.01',
    'Class A Common Stock',
    'Ordinary Shares',
    'American Depositary Shares',
    'Common Units representing limited partner interests',
    'Shares of beneficial interest',
    'Common Stock, $.01 par value (including associated Preferred Stock Purchase Rights)',
    'Common Stock and the associated rights',
    'Common Stock, with attached Rights to purchase Series A Preferred',
    'Units representing assignments of beneficial ownership of limited partnership interests',
  ])('counts %s', (securityTitle) => {
    expect(net([transaction({ securityTitle })])).toBe(-100);
  });

  it('counts the class of the ticker', () => {
    const ofClass = (letter: string) => `Class ${letter} Common Stock`;
    const row = { symbol: 'BRK.B', securityTitle: ofClass('B') };
    expect(net([transaction(row), transaction({ ...row, securityTitle: ofClass('A') })])).toBe(
      -100,
    );
    // Nothing says of which class a ticker without its letter is.
    const titled = ['A', 'B'].map((letter) => transaction({ securityTitle: ofClass(letter) }));
    expect([net(titled), net([titled[1], titled[1]])]).toEqual([null, -200]);
  });

  it('counts a sale of a chain of owners once', () => {
    const owner = (insiderName: string, accession: string) =>
      transaction({ insiderName, accession, ownership: 'indirect' });
    expect(net([owner('FUND', 'A'), owner('GP', 'B'), owner('HOLDINGS', 'C')])).toBe(-100);
    // The fund itself holds the shares, and its manager through it.
    const fund = transaction({ insiderName: 'FUND', accession: 'A' });
    expect(net([owner('GP', 'B'), fund])).toBe(-100);
  });

  it('counts equal sales of two people', () => {
    const sale = (insiderName: string, accession: string) =>
      transaction({ insiderName, accession });
    expect(net([sale('DOE', 'A'), sale('ROE', 'B')])).toBe(-200);
  });
});
