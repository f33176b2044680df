/** Files of Investing.com in its languages: the marks of their numbers, and ends of lines. */

import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { fetchFiles } from '../../../src/ingest/files/source.ts';
import { long, someOf } from '../../support/store-runs.ts';
import { eachTest } from '../support/each-test.ts';
import { fetchOne } from '../support/segment-rows.ts';
import { zipOf } from '../support/zip-file.ts';

const at = eachTest();

async function bars(lines: readonly string[], end = '\n') {
  await at.write({ 'AAA.csv': lines.map((line) => `${line}${end}`).join('') });
  const { rows } = await fetchOne(fetchFiles({ path: join(at.folder, 'AAA.csv') }, at.context));
  return rows.map((row) => Object.values(row).slice(1).join(' '));
}

const GERMAN = '"Datum","Zuletzt","Eröffn.","Hoch","Tief","Vol.","+/- %"';
const ENGLISH = '"Date","Price","Open","High","Low","Vol.","Change %"';

// A carriage return behind the last quote left the quotes of all fields, so that prices with
// decimal commas stood beside a hundredfold volume.
it.each([
  ['\n', 'Unix'],
  ['\r\n', 'Windows'],
])('lines that end in %j, of %s, have the same volume', async (end) => {
  const line = '"02.01.2024","185,64","187,15","188,44","183,89","82,49M","-3,58%"';
  expect(await bars([GERMAN, line], end)).toEqual([
    '2024-01-02 187.15 188.44 183.89 185.64 82490000',
  ]);
});

it.each([
  ['points in German', GERMAN, '"02.01.2024","185.64","187.15","188.44","183.89","7","0"'],
  ['points in English', ENGLISH, '"01/02/2024","185.64","187.15","188.44","183.89","7","0,5%"'],
  [
    'commas beside a change with a point',
    GERMAN,
    '"02.01.2024","185,64","187,15","188,44","183,89","7","0.5%"',
  ],
])('decimal %s are read', async (_, header, line) => {
  expect(await bars([header, line.replace('"01/02', '"01/30')])).toEqual([
    expect.stringMatching(/ 187.15 188.44 183.89 185.64 7$/),
  ]);
});

it('a volume of thousands to millions of millions counts shares, and a dash counts none', async () => {
  const volumes = ['0.07K', '1.2345K', '2B', '1.5T', '12M', '12.3万', '1,23,456'];
  const lines = volumes.map(
    (volume, day) => `"01/${22 + day + (day > 4 ? 2 : 0)}/2024",1,1,1,1,"${volume}","0%"`,
  );
  const found = await bars([ENGLISH, ...lines]);
  expect(found.map((bar) => bar.split(' ').at(-1))).toEqual([
    '70',
    '1234.5',
    '2000000000',
    '1500000000000',
    '12000000',
    '123000',
    '123456',
  ]);
  const [none] = await bars([ENGLISH, '"01/22/2024",1,1,1,1,"-","0%"']);
  expect(none).toMatch(/ 0$/);
});

// Exports of banks and of spreadsheets shorten these words, or put a price before them.
it('headers in other words are read', async () => {
  const headers = [
    'date;ouv;haut;bas;clot;vol',
    'Séance;Cours d’ouverture;Plus haut;Plus bas;Cours de clôture;Quantité',
    'date;cours_ouverture;cours_haut;cours_bas;cours_cloture;volume',
    'Datum;Eröffnungspreis;Höchstpreis;Tiefstpreis;Schlusspreis;Stückzahl',
    'datum;eroeffnung;hoch;tief;schluss;stueck',
    'fecha;ape;max;min;cie;vol',
    'Fecha;Precio apertura;Precio máximo;Precio mínimo;Precio cierre;Volumen',
    'Data;Ap;Max;Min;Chius;Volumi',
    'Data;Prezzo di apertura;Prezzo massimo;Prezzo minimo;Prezzo di chiusura;Quantità',
    'Data;Preço de abertura;Preço máximo;Preço mínimo;Preço de fechamento;Volume',
    'Date;Ouverture;Plus haut;Plus bas;Clôture;Volume (titres);Volume',
    'Date;Ouverture;Plus haut;Plus bas;Clôture;Volume;Volume (titres)',
  ];
  const line = '30/01/2024;185,50;188,25;183,00;187,75;4711';
  const symbols = headers.map((_, i) => `AA${String.fromCharCode(65 + i)}`);
  // Of two volumes, the one without a word for shares is money.
  const money = {
    'Volume (titres);Volume': '4711;884000',
    'Volume;Volume (titres)': '884000;4711',
  };
  const texts = headers.map((header) => {
    const [, both] = Object.entries(money).find(([names]) => header.endsWith(names)) ?? [
      '',
      '4711',
    ];
    return `${header}\n${line.replace('4711', both)}\n`;
  });
  await at.write(Object.fromEntries(texts.map((text, i) => [`${symbols[i]}.csv`, text])));
  const { rows } = await fetchOne(fetchFiles({ path: at.folder }, at.context));
  expect(rows.map((row) => Object.values(row).join(' '))).toEqual(
    symbols.map((symbol) => `${symbol} 2024-01-30 185.5 188.25 183 187.75 4711`),
  );
});

it('an adjusted close in French is no close', async () => {
  const header = 'date;ouv;haut;bas;clôture ajustée';
  await expect(bars([header, '30/01/2024;185,50;188,25;183,00;187,75'])).rejects.toThrow(
    'no candles',
  );
});

// Excel's "Unicode text" and PowerShell's `>` write UTF-16, Excel's CSV in Europe Windows-1252.
describe('a text in another encoding', () => {
  const text =
    'Fecha;Apertura;Máximo;Mínimo;Último;Volumen\n2024-01-02;1\u00a0185,50;1\u00a0188,25;1\u00a0183,00;1\u00a0187,75;4711\n';
  const bar = { date: '2024-01-02', open: 1185.5, high: 1188.25, low: 1183, close: 1187.75 };
  const little = Buffer.from(`\ufeff${text}`, 'utf16le');
  const encodings: [string, Buffer][] = [
    ['UTF-16', little],
    ['UTF-16 without a mark', Buffer.from(text, 'utf16le')],
    ['UTF-16 with the high byte first', Buffer.from(little).swap16()],
    ['Windows-1252', Buffer.from(text, 'latin1')],
  ];

  it.each(someOf(encodings, 2))('is read: %s', async (_, content) => {
    await at.write({
      'AAA.csv': content,
      'BBB.csv.gz': gzipSync(content),
      'all.zip': zipOf([{ name: 'CCC.csv', content }]),
    });
    const { rows } = await fetchOne(fetchFiles({ path: at.folder }, at.context));
    const read = ['AAA', 'BBB', 'CCC'].map((symbol) => ({ symbol, ...bar, volume: 4711 }));
    expect(rows.toSorted((a, b) => a.symbol.localeCompare(b.symbol))).toEqual(read);
  });

  it('is read where it is JSON', async () => {
    const json = JSON.stringify([{ ...bar, volume: 5, name: 'Máximo' }], null, 2);
    await at.write({ 'AAA.json': Buffer.from(`\ufeff${json}`, 'utf16le') });
    const { rows } = await fetchOne(fetchFiles({ path: at.folder }, at.context));
    expect(rows).toEqual([{ symbol: 'AAA', ...bar, volume: 5 }]);
  });

  long('is not Windows-1252 for a single row with such bytes', async () => {
    const plain = 'date,open,high,low,close,volume,note\n';
    const lines = ['02', '03', '04'].map((day) => `2024-01-${day},1,2,1,2,5,${day}\n`);
    const odd = Buffer.from('2024-01-05,1,2,1,2,5,\xe9\n', 'latin1');
    await at.write({ 'AAA.csv': Buffer.concat([Buffer.from(plain + lines.join('')), odd]) });
    const { rows, rejected } = await fetchOne(fetchFiles({ path: at.folder }, at.context));
    expect([rows.length, rejected]).toEqual([3, 1]);
  });
});

it('dates in words are read from a column of another name', async () => {
  const header = 'Trade Date,Open,High,Low,Close,Volume';
  expect(await bars([header, '"Fri, 02 Feb 2024 00:00:00 GMT",1,2,1,2,5'])).toEqual([
    '2024-02-02 1 2 1 2 5',
  ]);
});

it('lines above a header of Unix times are left out', async () => {
  const lines = ['sep=|', 'date|open|high|low|close|volume', '1704153600000|1|2|1|2|5'];
  expect(await bars(lines)).toEqual(['2024-01-02 1 2 1 2 5']);
});

// CSV of other languages was read, and the same rows as JSON were refused.
it('words of other languages are read in JSON', async () => {
  const rows = [
    { Datum: '2024-01-02', Eröffnung: 1, Hoch: 2, Tief: 1, Schluss: 2, Volumen: 5, Bid: 1 },
    { Datum: '2024-01-03', Eröffnung: 2, Hoch: 3, Tief: 2, Schluss: 3, Volumen: 7, Bid: 2 },
  ];
  await at.write({ 'AAA.json': JSON.stringify(rows) });
  const { rows: read } = await fetchOne(fetchFiles({ path: at.folder }, at.context));
  expect(read.map((row) => Object.values(row).slice(1).join(' '))).toEqual([
    '2024-01-02 1 2 1 2 5',
    '2024-01-03 2 3 2 3 7',
  ]);
});
