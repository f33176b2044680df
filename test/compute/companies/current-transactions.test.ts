import { describe, expect, it } from 'vitest';
import { AMENDS_UNNAMED, UNNUMBERED } from '../../../src/base/datasets/insider-filing.ts';
import { currentTransactions } from '../../../src/compute/companies/current-transactions.ts';
import type { InsiderRow } from '../../../src/compute/companies/insider-summary.ts';
import { insiderTransaction as transaction } from '../support/insider-rows.ts';

/** Accession and shares of what counts, the same for every order of the rows. */
function counted(rows: InsiderRow[]): string[] {
  const texts = (given: InsiderRow[]) =>
    currentTransactions(given)
      .map(({ accession, shares }) => `${accession} ${shares}`)
      .sort();
  for (let turn = 1; turn < rows.length; turn++) {
    expect(texts([...rows.slice(turn), ...rows.slice(0, turn)])).toEqual(texts(rows));
  }
  expect(texts(rows.toReversed())).toEqual(texts(rows));
  return texts(rows);
}

const original = { accession: 'O', filedAt: '2025-03-03T21:00:00Z' };
const amendment = { accession: 'A', filedAt: '2025-03-10T21:00:00Z', amends: '2025-03-03' };

describe('currentTransactions', () => {
  it('lets an amendment stand for the lines that it corrects', () => {
    const rows = [
      transaction({ ...original, shares: 100 }),
      transaction({ ...original, shares: 40, line: 2, sharesOwnedAfter: 960 }),
      transaction({ ...amendment, shares: 90 }),
    ];
    expect(counted(rows)).toEqual(['A 90', 'O 40']);
    const wrongPriceOf = (price: number) => ({
      ...amendment,
      shares: 40,
      price,
      sharesOwnedAfter: 960,
    });
    const wrongPrice = transaction(wrongPriceOf(11));
    expect(counted([...rows.slice(0, 2), wrongPrice])).toEqual(['A 40', 'O 100']);
    const wrongDay = transaction({ ...wrongPriceOf(10), transactionDate: '2025-02-27' });
    expect(counted([...rows.slice(0, 2), wrongDay])).toEqual(['A 40', 'O 100']);
  });

  it('lets an amendment that repeats a line stand for all of the filing', () => {
    const rows = [
      transaction({ ...original, shares: 100 }),
      transaction({ ...original, shares: 40, line: 2, sharesOwnedAfter: 960 }),
      transaction({ ...amendment, shares: 100 }),
    ];
    expect(counted(rows)).toEqual(['A 100']);
  });

  it.each([
    ['lists its owners in another order', {}, ['A 100', 'A 40']],
    ['is of one owner, with another price', { price: 9 }, ['A 100', 'A 40']],
    ['has another holding, as of another person', { sharesOwnedAfter: 5 }, undefined],
    ['is of awards', { transactionType: 'award', transactionCode: 'A' }, undefined],
    ['names another day', { amends: '2025-01-03' }, undefined],
  ] as const)(
    'takes the filing of owners who file together: the amendment %s',
    (_, given, left) => {
      const of = (filed: object, insiderName: string) => [
        transaction({ ...filed, insiderName, shares: 100 }),
        transaction({ ...filed, insiderName, shares: 40, line: 2 }),
      ];
      const type = 'transactionType' in given && given;
      const rows = [
        ...of({ ...original, ...type }, 'Fund'),
        ...of({ ...amendment, ...given }, 'GP'),
      ];
      expect(counted(rows)).toEqual(left ?? ['A 100', 'A 40', 'O 100', 'O 40']);
    },
  );

  it('removes nothing for an amendment with only a forgotten line', () => {
    const first = transaction({
      ...original,
      sharesOwnedAfter: 7000,
      transactionDate: '2025-03-01',
    });
    const nextDay = {
      shares: 250,
      price: 32,
      sharesOwnedAfter: 6250,
      transactionDate: '2025-03-02',
    };
    expect(counted([first, transaction({ ...amendment, ...nextDay })])).toEqual(['A 250', 'O 100']);
    const sameDay = { shares: 250, price: 32, sharesOwnedAfter: 6750 };
    expect(counted([first, transaction({ ...amendment, ...sameDay })])).toEqual(['A 250', 'O 100']);
  });

  it.each([
    ['sold after it, at the same price', { shares: 50, sharesOwnedAfter: 950 }, ['A 50', 'O 100']],
    [
      'sold before it, at the same price',
      { shares: 50, sharesOwnedAfter: 1100 },
      ['A 50', 'O 100'],
    ],
    [
      'of the same number, at another price',
      { price: 11, sharesOwnedAfter: 900 },
      ['A 100', 'O 100'],
    ],
    [
      'with fewer shares of the same holding before',
      { shares: 50, sharesOwnedAfter: 1050 },
      ['A 50'],
    ],
    [
      'with more shares of the same holding before',
      { shares: 200, sharesOwnedAfter: 900 },
      ['A 200'],
    ],
  ])('tells a forgotten line from a correction by the holdings: a line %s', (_, line, expected) => {
    const first = transaction({ ...original, sharesOwnedAfter: 1000 });
    expect(counted([first, transaction({ ...amendment, ...line })])).toEqual(expected);
  });

  it('replaces the only line if an amendment corrects its shares and price', () => {
    const first = transaction({ ...original, sharesOwnedAfter: 7000 });
    const fixed = transaction({ ...amendment, shares: 110, price: 11, sharesOwnedAfter: 6990 });
    expect(counted([first, fixed])).toEqual(['A 110']);
  });

  it('takes a filing of the evening for one of its day in New York', () => {
    const late = transaction({ ...original, filedAt: '2025-03-04T02:30:00Z' });
    expect(counted([late, transaction({ ...amendment, shares: 90 })])).toEqual(['A 90']);
  });

  it('replaces nothing of another insider or another day', () => {
    const rows = [
      transaction({ ...original, insiderName: 'MAESTRI LUCA' }),
      transaction({ ...original, accession: 'P', filedAt: '2025-02-20T21:00:00Z' }),
      transaction({ ...amendment, shares: 90 }),
    ];
    expect(counted(rows)).toEqual(['A 90', 'O 100', 'P 100']);
  });

  it('finds the insider whatever the case and points of the name', () => {
    const rows = [
      transaction({ ...original, insiderName: 'Cook, Timothy D.' }),
      transaction({ ...amendment, shares: 90 }),
    ];
    expect(counted(rows)).toEqual(['A 90']);
  });

  it('replaces one of two filings of a day: the one with most in common', () => {
    const rows = [
      transaction({ ...original, transactionDate: '2025-02-28' }),
      transaction({ ...original, accession: 'P', transactionDate: '2025-03-01', shares: 7 }),
      transaction({ ...amendment, transactionDate: '2025-03-01', shares: 8 }),
    ];
    expect(counted(rows)).toEqual(['A 8', 'O 100']);
  });

  it('lets a second amendment of the same filing replace the first', () => {
    const rows = [
      transaction(original),
      transaction({ ...amendment, shares: 90 }),
      transaction({ ...amendment, accession: 'B', filedAt: '2025-03-20T21:00:00Z', shares: 80 }),
    ];
    expect(counted(rows)).toEqual(['B 80']);
    expect(counted(rows.slice(1))).toEqual(['B 80']);
  });

  it('follows an amendment of an amendment', () => {
    const rows = [
      transaction(original),
      transaction({ ...amendment, shares: 90 }),
      transaction({
        accession: 'B',
        filedAt: '2025-03-20T21:00:00Z',
        amends: '2025-03-10',
        shares: 80,
      }),
    ];
    expect(counted(rows)).toEqual(['B 80']);
  });

  it.each([
    [
      'one of each, the last of the original',
      [
        ['A', 'O', [1]],
        ['B', 'A', [2]],
        ['C', 'O', [3]],
      ],
      ['C 3'],
    ],
    [
      'a forgotten line, twice',
      [
        ['A', 'O', [5]],
        ['B', 'O', [5]],
      ],
      ['B 5', 'O 100'],
    ],
    [
      'a forgotten line, then its correction',
      [
        ['A', 'O', [5]],
        ['B', 'A', [6]],
      ],
      ['B 6', 'O 100'],
    ],
    [
      'a forgotten line, then the whole form',
      [
        ['A', 'O', [5]],
        ['B', 'A', [100, 6]],
      ],
      ['B 100', 'B 6'],
    ],
    [
      'the whole form after each other',
      [
        ['A', 'O', [100, 5]],
        ['B', 'A', [100, 6]],
      ],
      ['B 100', 'B 6'],
    ],
  ] as const)('follows a chain of amendments: %s', (_, amendments, expected) => {
    const days: Record<string, string> = {
      O: '2025-03-03',
      A: '2025-03-10',
      B: '2025-03-12',
      C: '2025-03-14',
    };
    // Few shares are a transaction of the next day.
    const lineOf = (shares: number) =>
      shares > 4 && shares < 100
        ? { shares, price: 11, transactionDate: '2025-03-02', sharesOwnedAfter: 900 - shares }
        : { shares, sharesOwnedAfter: 900 };
    const rows = amendments.flatMap(([accession, of, lines]) =>
      lines.map((shares, line) => {
        const filing = { accession, filedAt: `${days[accession]}T21:00:00Z`, amends: days[of] };
        return transaction({ ...filing, ...lineOf(shares), line });
      }),
    );
    const first = transaction({ ...original, sharesOwnedAfter: 900 });
    expect(counted([first, ...rows])).toEqual(expected);
  });

  it('goes by the number where the amendment names one', () => {
    const rows = [
      transaction(original),
      transaction({ ...original, accession: 'P' }),
      transaction({ ...amendment, amends: 'P', shares: 90 }),
    ];
    expect(counted(rows)).toEqual(['A 90', 'O 100']);
  });

  it('takes the newest filing of the same transaction where nothing is named', () => {
    const rows = [
      transaction({ ...original, transactionDate: '2025-02-28' }),
      transaction({ ...original, accession: 'P' }),
      transaction({ ...amendment, amends: AMENDS_UNNAMED, shares: 90 }),
    ];
    expect(counted(rows)).toEqual(['A 90', 'O 100']);
  });

  it('takes a signature for a filing of the days after it', () => {
    const bare = transaction({ accession: `${UNNUMBERED}1`, filedAt: '2025-03-02T00:00:00Z' });
    expect(counted([bare, transaction({ ...amendment, shares: 90 })])).toEqual(['A 90']);
  });

  it('counts a document without its number until the same filing comes with it', () => {
    const bare = transaction({ accession: `${UNNUMBERED}1`, filedAt: '2025-03-02T00:00:00Z' });
    expect(counted([bare])).toEqual([`${UNNUMBERED}1 100`]);
    expect(counted([bare, transaction(original)])).toEqual(['O 100']);
    expect(counted([bare, transaction({ ...original, shares: 3 })])).toHaveLength(2);
  });

  it('keeps rows of an empty and of a single filing as they are', () => {
    const rows = [transaction({ line: 2 }), transaction({ line: 1 })];
    expect(currentTransactions([])).toEqual([]);
    expect(currentTransactions(rows)).toEqual(rows);
  });
});
