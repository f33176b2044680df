/** Forms 25 and 15: company, class and reason of a removal. */

import { describe, expect, it } from 'vitest';
import { dateFromDay } from '../../../../src/base/time/dates.ts';
import { typeFromTitle } from '../../../../src/ingest/directory/security-name.ts';
import {
  isRemoval,
  isRemovalForm,
  parseRemoval,
} from '../../../../src/ingest/vendors/symbols/parse-removal.ts';
import { removalText, removalXml } from '../../support/removal-forms.ts';

const parse = (text: string) => parseRemoval(Buffer.from(text, 'latin1'));

describe('parseRemoval', () => {
  it('reads company, class and rule of an exchange’s form', () => {
    const text = removalXml({ cik: 1617977, title: 'Common Stock', rule: '(a)(3)' });
    const [{ day, ...notice }, ...others] = parse(text);
    expect(others).toEqual([]);
    expect(dateFromDay(day)).toBe('2020-03-18');
    expect(notice).toEqual({
      id: '0001354457-20-000128',
      form: '25-NSE',
      cik: 1617977,
      ticker: null,
      kind: 'stock',
      title: 'Common Stock',
      reason: 'exchanged',
      source: 'sec',
    });
  });

  it('reads the class of a company’s text between its captions', () => {
    const text = removalText({ form: '15-12G', title: 'Common Stock, par value $0.01\nper share' });
    expect(parse(text)).toMatchObject([
      { form: '15-12G', cik: 1524769, kind: 'stock', reason: 'deregistered' },
    ]);
    const several =
      'Class A Common Stock, par value $0.0001&nbsp;per share<br>Warrants, each for one Class A share';
    expect(parse(removalText({ form: '25', title: several }))).toMatchObject([
      { id: '0001524769-20-000003', kind: 'stock', reason: 'withdrawn' },
      { id: '0001524769-20-000003 2', kind: 'warrant' },
    ]);
  });

  it('leaves the class open where the text has no such caption', () => {
    const text = removalText({ form: '15-15D', title: 'x' }).replace('(Title of', '(Names of');
    expect(parse(text)).toMatchObject([{ kind: null, title: null }]);
  });

  it.each([
    ['another form', (text: string) => text.replace('TYPE:\t25-NSE', 'TYPE:\t8-K'), /Form 8-K/],
    [
      'no company',
      (text: string) => text.replaceAll(/<?\/?cik>|CENTRAL INDEX KEY/g, ''),
      /company/,
    ],
    ['a document type', (text: string) => text.replace('<notif', '<!DOCTYPE a><notif'), /type/],
  ])('refuses one with %s', (what, change, reason) => {
    const text = change(removalXml({ cik: 1, title: 'Common Stock', rule: '(b)' }));
    if (what === 'a document type') expect(parse(text)).toHaveLength(1);
    else expect(() => parse(text)).toThrow(reason);
  });

  it('reads plain texts as companies lay them out', () => {
    const laid = (lines: string) =>
      removalText({ form: '15-12B', title: '' }).replace(/<html>[\s\S]*<\/html>/, lines);
    const caption = '(Address, including zip code, of principal executive office)';
    const text = `${caption}
      Common Shares of Beneficial Interest, par value
          $0.01 per share
      6.75% Series B Cumulative Preferred Shares
          ------------------------------------
      (Title of each class of securities covered by this Form)
      Senior Notes (Titles of all other classes of securities`;
    const [first, second, ...others] = parse(laid(text));
    expect([first.kind, second.kind, others]).toEqual(['stock', 'preferred', []]);
    expect(first.title).toBe('Common Shares of Beneficial Interest, par value $0.01 per share');
    expect(parse(laid(text.replace('(Title of', '(title  of'))).length).toBe(2);
  });

  it('knows its forms', () => {
    expect(isRemoval(removalXml({ title: 'x' }))).toBe(true);
    expect(isRemoval(removalXml({ title: 'x' }).replace('25-NSE', '10-K'))).toBe(false);
    const forms = ['25', '25-NSE/A', '15-12B', '15F-12G', '15-15D/A'];
    expect(forms.every(isRemovalForm)).toBe(true);
    expect(['253G1', '15', '2', '425', '15-12'].some(isRemovalForm)).toBe(false);
  });
});

it.each([
  ['Common Stock, par value $0.01 per share', 'stock'],
  ['Class A Ordinary Shares', 'stock'],
  ['Common Units representing limited partner interests', 'stock'],
  ['Common Shares of Beneficial Interest of a Trust', 'stock'],
  ['Common Stock (and associated Preferred Stock Purchase Rights)', 'stock'],
  ['Preferred Stock Purchase Rights', 'right'],
  ['Rights to purchase Common Stock', 'right'],
  ['Warrants, each exercisable for one share of Common Stock', 'warrant'],
  ['Class A Limited Voting Shares, no par value', 'stock'],
  ['Class C Non-Voting Preferred Shares', 'preferred'],
  ['Subordinate Voting Share Purchase Warrants', 'warrant'],
  ['Class A Share Purchase Rights', 'right'],
  ['Common Stock Purchase Warrants', 'warrant'],
  ['Units, each of one share of Class A common stock and half a warrant', 'unit'],
  ['American Depositary Shares, each representing 2 ordinary shares', 'adr'],
  ['Depositary Shares, each representing 1/40th of a share of Series B Preferred', 'preferred'],
  ['5.75% Senior Notes due 2025', 'note'],
  ['iPath Series B ETNs', 'etn'],
  ['ABC Gold Fund', 'etf'],
  ['Something else', undefined],
])('%s is %s', (title, type) => expect(typeFromTitle(title)).toBe(type));
