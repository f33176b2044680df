import { describe, expect, it } from 'vitest';
import { dayFromDate } from '../../../src/base/time/dates.ts';
import { parseFactFile as parse } from '../../../src/ingest/directory/parse-fact-file.ts';

const day = dayFromDate;
const parseFactFile = (text: string, name: string) => parse(text, name, day('2026-11-30'));
const MERGER = { reason: 'merger, for cash' };
const none = { day: null, endDay: null, other: null };

describe('a table of facts', () => {
  it('has its columns in any order', () => {
    const text = [
      'ticker,kind,other,on,to',
      'fb,rename,META,2022-06-09,',
      'AGG,delist,,2026-07-02,',
      'XYZ,part,,2018-01-02,',
      'FB,assign,META,2022-06-09,2022-06-30',
      'FB,assign,new,,2011-06-30',
      'A,join,B,,',
      'N,spinoff,P,2018-04-02,',
    ].join('\n');
    expect(parseFactFile(text, 'facts.csv')).toEqual([
      { ...none, kind: 'rename', ticker: 'FB', day: day('2022-06-09'), other: 'META' },
      { ...none, kind: 'delist', ticker: 'AGG', day: day('2026-07-02') },
      { ...none, kind: 'part', ticker: 'XYZ', day: day('2018-01-02') },
      {
        ...{ kind: 'assign', ticker: 'FB', other: 'META' },
        ...{ day: day('2022-06-09'), endDay: day('2022-06-30') },
      },
      { ...none, kind: 'assign', ticker: 'FB', endDay: day('2011-06-30') },
      { ...none, kind: 'join', ticker: 'A', other: 'B' },
      { ...none, kind: 'spinoff', ticker: 'N', day: day('2018-04-02'), other: 'P' },
    ]);
  });

  it('may have quotes, as pandas writes them', () => {
    const text =
      '"kind","ticker","on","to","other","reason"\r\n' +
      '"delist","ABC","2019-03-15","","XYZ","merger, for cash",,\r\n';
    expect(parseFactFile(text, 'facts.csv')).toEqual([
      { ...none, kind: 'delist', ticker: 'ABC', day: day('2019-03-15'), other: 'XYZ', ...MERGER },
    ]);
  });

  it.each([
    [
      'delist,A,2019-03-15,,B,merger, for cash',
      'it has 7 fields, and the header 5: put a text with a comma in double quotes',
    ],
    ...['rename,A,2026-12-01,,B', 'delist,A,2026-12-01,,', 'part,A,2026-12-01,,'].map((line) => [
      line,
      'on must not be after today, 2026-11-30, got 2026-12-01: say so on that day',
    ]),
    [
      'renamed,A,2020-01-02,,B',
      'kind must be one of rename, delist, part, assign, join, spinoff, got "renamed"',
    ],
    ['rename,A,2020-02-30,,B', 'on must be a day of the calendar, got "2020-02-30"'],
    ['rename,A,,,B', 'on is missing'],
    ['rename,A,2020-01-02,,', 'other is missing'],
    ['rename,A,2020-01-02,,A', 'other must be another one than ticker, got "A"'],
    ['part,A,2020-01-02,,B', 'other must be empty for this kind, got "B"'],
    ['part,A,2020-01-02,2020-01-03,', 'to must be empty for this kind, got "2020-01-03"'],
    ['assign,A,2020-01-05,2020-01-03,B', 'to must not be before on, got 2020-01-05 and 2020-01-03'],
  ])('refuses %s', (line, reason) => {
    const text = `kind,ticker,on,to,other\ndelist,Q,2020-01-02,,\n${line}\n`;
    expect(() => parseFactFile(text, 'facts.csv')).toThrow(`"facts.csv", line 3: ${reason}`);
  });

  it('needs its columns', () => {
    expect(() => parseFactFile('symbol,from\nA,2020-01-02', 'f.csv')).toThrow(
      '"f.csv" has no column "kind": kind,ticker,on,to,other',
    );
  });
});

describe('a map file of LEAN', () => {
  it('has the last day of each ticker, and a delisting at its end', () => {
    expect(parseFactFile('20120518,fb,Q\n20220608,fb,Q\n20501231,meta,Q\n', 'meta.csv')).toEqual([
      { ...none, kind: 'rename', ticker: 'FB', day: day('2022-06-09'), other: 'META' },
    ]);
    expect(parseFactFile('19980102,xyz\n20151204,xyz', 'xyz.csv')).toEqual([
      { ...none, kind: 'delist', ticker: 'XYZ', day: day('2015-12-04') },
    ]);
  });

  it('refuses an end in the future that is not the end of time', () => {
    expect(() => parseFactFile('20120518,fb\n20310608,fb', 'fb.csv')).toThrow(
      '"fb.csv", line 2: the last day of a ticker must not be after today, 2026-11-30, got 2031-06-08',
    );
  });

  it('refuses days out of order', () => {
    const text = '20120518,fb\n20220608,fb\n20200608,meta';
    expect(() => parseFactFile(text, 'meta.csv')).toThrow(
      '"meta.csv", line 3: its day is not after that of the line before',
    );
  });
});
