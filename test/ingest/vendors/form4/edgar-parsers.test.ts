/** Parsers of EDGAR's submissions, its feed and its index of a day. */

import { describe, expect, it } from 'vitest';
import { MalformedInputError } from '../../../../src/base/errors.ts';
import { isTransactionForm } from '../../../../src/ingest/vendors/form4/edgar-days.ts';
import { symbolOfIssuer } from '../../../../src/ingest/vendors/form4/issuer-symbol.ts';
import { parseEdgarAtom } from '../../../../src/ingest/vendors/form4/parse-edgar-atom.ts';
import { parseSgmlSubmission } from '../../../../src/ingest/vendors/form4/parse-sgml-submission.ts';
import { parseFormIndex } from '../../../../src/ingest/vendors/shared/parse-form-index.ts';
import { xmlTextFromBytes } from '../../../../src/ingest/vendors/shared/parse-xml.ts';
import { currentFeed, formIndex, ownershipXml, submission } from './support/filing-samples.ts';

describe('parseSgmlSubmission', () => {
  const parse = (text: string) => parseSgmlSubmission(Buffer.from(text, 'latin1'));

  it('gives number, form and the moment from New York time', () => {
    const winter = parse(submission(ownershipXml()));
    expect(winter).toMatchObject({ accession: '0000320193-25-000001', form: '4' });
    expect(new Date(winter.filedAtMs).toISOString()).toBe('2025-03-03T21:30:00.000Z');
    const summer = parse(submission(ownershipXml(), { accepted: '20250703163000' }));
    expect(new Date(summer.filedAtMs).toISOString()).toBe('2025-07-03T20:30:00.000Z');
  });

  it('hands over the document alone, which starts with its declaration', () => {
    const xml = xmlTextFromBytes(parse(submission(ownershipXml())).xml);
    expect(xml.trim()).toBe(ownershipXml());
  });

  it('takes the filing date if the header has no time', () => {
    const text = submission(ownershipXml()).replace(/<ACCEPTANCE-DATETIME>\d+\n/, '');
    expect(new Date(parse(text).filedAtMs).toISOString()).toBe('2025-03-03T00:00:00.000Z');
  });

  it.each([
    ['no number', (text: string) => text.replace(/ACCESSION NUMBER.*\n/, ''), /has no number/],
    ['no date', (text: string) => text.replace(/.*(DATETIME|FILED AS).*\n/g, ''), /no filing date/],
    ['no such day', (text: string) => text.replace('E>20250303', 'E>20250230'), /no filing date/],
    ['no such hour', (text: string) => text.replace('163000', '993000'), /no time of day/],
    ['no document', (text: string) => text.replace('<DOCUMENT>', ''), /has no document/],
    ['another document', (text: string) => text.replace(/ownershipDocument/g, 'x'), /ownership/],
    ['an end within', (text: string) => text.slice(0, text.indexOf('</XML>')), /ends within/],
  ])('refuses a submission with %s', (_what, change, reason) => {
    expect(() => parse(change(submission(ownershipXml())))).toThrow(reason);
  });
});

describe('parseEdgarAtom', () => {
  const entry = { accession: '0000320193-25-000001', at: '2025-03-03T16:30:00-05:00' };
  const parse = (bytes: Buffer) => parseEdgarAtom(xmlTextFromBytes(bytes));

  it('names each filing of Forms 4 and 5 once, and the oldest moment', () => {
    const feed = parse(
      currentFeed([
        entry,
        entry,
        { ...entry, form: '424B2', accession: '0000320193-25-000002' },
        {
          ...entry,
          form: '4/A',
          accession: '0000320193-25-000003',
          at: '2025-03-03T16:00:00-05:00',
        },
      ]),
    );
    expect(feed).toMatchObject({ entryCount: 4, refused: [] });
    expect(feed.oldestMs).toBe(Date.parse('2025-03-03T21:00:00Z'));
    expect(feed.filings.map(({ form, path }) => [form, path])).toEqual([
      ['4', 'edgar/data/320193/000032019325000001/0000320193-25-000001.txt'],
      ['4/A', 'edgar/data/320193/000032019325000003/0000320193-25-000003.txt'],
    ]);
  });

  it('decodes by the declaration: é is one byte in ISO-8859-1', () => {
    expect(xmlTextFromBytes(currentFeed([entry]))).toContain('Société Générale');
    const lie = currentFeed([entry]).toString('latin1').replace('ISO-8859-1', 'UTF-8');
    expect(() => parse(Buffer.from(lie, 'latin1'))).toThrow(MalformedInputError);
  });

  it('is empty on a quiet day, and refuses a text that is not a feed', () => {
    expect(parse(currentFeed([]))).toMatchObject({
      filings: [],
      entryCount: 0,
      oldestMs: undefined,
    });
    expect(() => parseEdgarAtom('<html><body>Forbidden</body></html>')).toThrow(/not an Atom feed/);
  });

  it('names entries that it cannot read', () => {
    const broken = currentFeed([entry]).toString('latin1').replace('-index.htm', '');
    expect(parseEdgarAtom(broken).refused).toMatchObject([
      { reason: 'entry has no address of a filing' },
    ]);
  });
});

describe('parseFormIndex', () => {
  it('names each filing of Forms 4 and 5 once, with its issuer and owners', () => {
    const index = parseFormIndex(
      formIndex([
        { form: '3', accession: '0000320193-25-000001' },
        { form: '4', accession: '0000320193-25-000002' },
        { form: '5/A', accession: '0000320193-25-000003' },
        { form: '40-F', accession: '0000320193-25-000004' },
      ]),
      isTransactionForm,
    );
    expect(index.lineCount).toBe(8);
    expect(index.filings).toEqual([
      {
        form: '4',
        accession: '0000320193-25-000002',
        path: 'edgar/data/320193/0000320193-25-000002.txt',
        ciks: [320193, 1214156],
      },
      {
        form: '5/A',
        accession: '0000320193-25-000003',
        path: 'edgar/data/320193/0000320193-25-000003.txt',
        ciks: [320193, 1214156],
      },
    ]);
  });

  it('refuses lines without a filing, and a page that is not an index', () => {
    const text = `${formIndex([])}4           Apple Inc.      320193      20250303\n${'x'.repeat(5000)}\n`;
    expect(parseFormIndex(text, isTransactionForm).refused.map(({ line }) => line)).toEqual([
      11, 12,
    ]);
    expect(() => parseFormIndex('<html>Not found</html>', isTransactionForm)).toThrow(
      MalformedInputError,
    );
  });
});

describe('symbolOfIssuer', () => {
  const listed = new Map([
    [1067983, ['BRK.A', 'BRK.B']],
    [1652044, ['GOOGL', 'GOOG', 'GOOG.PRA']],
  ]);

  it.each([
    ['AAPL', 'AAPL'],
    ['aapl', 'AAPL'],
    [' (NYSE: ABC) ', 'ABC'],
    ['NASDAQ:ABCD', 'ABCD'],
    ['NYSE American - XYZ', 'XYZ'],
    ['"ABC"', 'ABC'],
    ['BRK/B', 'BRK.B'],
    ['BRK-B', 'BRK.B'],
    ['BRK.A, BRK.B', 'BRK.A'],
    ['LEN; LEN.B', 'LEN'],
    ['GOOG/GOOGL', 'GOOG'],
    ['TRUE', 'TRUE'],
    ['NAN', 'NAN'],
  ])('reads %s as %s', (text, symbol) => {
    expect(symbolOfIssuer(text, undefined, listed)).toBe(symbol);
  });

  it.each(['', 'NONE', 'none', 'N/A', 'n/a', 'NA', '-', 'Not Applicable', '[NONE]', '0000'])(
    'finds no ticker in "%s"',
    (text) => {
      expect(symbolOfIssuer(text, undefined, listed)).toBeUndefined();
    },
  );

  it("takes the directory's ticker if the filing has none, and its spelling", () => {
    expect(symbolOfIssuer('NONE', 1652044, listed)).toBe('GOOG');
    expect(symbolOfIssuer('BRKB', 1067983, listed)).toBe('BRK.B');
    expect(symbolOfIssuer('XX, GOOGL', 1652044, listed)).toBe('GOOGL');
    // A ticker at the time of filing that the company no longer has.
    expect(symbolOfIssuer('GOOX', 1652044, listed)).toBe('GOOX');
  });
});
