/** Insiders' filings from files: kinds of files, refused rows and memory. */

import { once } from 'node:events';
import { createWriteStream, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { ParameterError } from '../../../../src/base/errors.ts';
import { form4Limits } from '../../../../src/ingest/vendors/form4/limits.ts';
import { hasRealdata, realdata } from '../../../support/realdata.ts';
import { long } from '../../../support/store-runs.ts';
import { entityBomb } from '../../support/xml-mutations.ts';
import { zipOf } from '../../support/zip-file.ts';
import { filingFolder } from './support/filing-folder.ts';
import { currentFeed, formIndex, ownershipXml, submission } from './support/filing-samples.ts';

describe('filings from files', () => {
  const { pathOf, put, land } = filingFolder();

  it('recognizes them by their bytes, whatever their names', async () => {
    put('in/a.csv', ownershipXml({ symbol: 'AAA' }));
    put('in/b.bin', submission(ownershipXml({ symbol: 'BBB' })));
    put('in/c', zipOf([{ name: 'x/y.dat', content: ownershipXml({ symbol: 'CCC' }) }]));
    put('in/d.xml', ownershipXml({ form: '3', transactions: [] }));
    put('in/e.txt', formIndex([]));
    put('in/f.txt', currentFeed([]));
    put('in/g.txt', 'hello');
    put('in/h.txt', '');
    const { rows, segments } = await land([pathOf('in')]);
    expect(rows.map(({ symbol }) => symbol).sort()).toEqual(['AAA', 'BBB', 'CCC']);
    expect(
      Object.fromEntries(segments[0].skipped.map(({ name, reason }) => [name, reason])),
    ).toEqual({
      'd.xml': 'Form 3 lists holdings and has no transactions',
      'e.txt': 'an index, which names filings and does not hold them',
      'f.txt': 'a feed, which names filings and does not hold them',
      'g.txt': 'neither a filing of an insider nor a table of them',
      'h.txt': 'it has zero bytes',
    });
  });

  it('dates a bare document by its signature and numbers it by its folder, else by its content', async () => {
    put('data/320193/000032019325000009/form4.xml', ownershipXml({ symbol: 'AAA' }));
    put('data/form4.xml', ownershipXml({ symbol: 'BBB' }));
    const { rows } = await land([pathOf('data')]);
    expect(rows).toMatchObject([
      { symbol: 'AAA', accession: '0000320193-25-000009', filed_at: '2025-03-03 00:00:00' },
      { symbol: 'BBB', accession: expect.stringMatching(/^xml-/) },
    ]);
  });

  it('gives the same segment for the same files in another order, and anywhere', async () => {
    const a = put('one/a.xml', ownershipXml({ symbol: 'AAA' }));
    const b = put('one/b.xml', submission(ownershipXml({ symbol: 'BBB' })));
    const first = await land([a, b]);
    const second = await land([b, a]);
    expect(second.segments[0].id).toBe(first.segments[0].id);
  });

  it('keeps rows of the requested symbols and days', async () => {
    const header = (accepted: string, accession: string) => ({ accepted, accession });
    put('in/a', submission(ownershipXml(), header('20250303163000', '0000320193-25-000001')));
    put('in/b', submission(ownershipXml(), header('20250304210000', '0000320193-25-000002')));
    put('in/c', submission(ownershipXml({ symbol: 'MSFT' })));
    const day = (date: string) => Date.parse(date) / 86_400_000;
    // 9 pm in New York on the 4th is the 5th in UTC.
    const options = { symbols: ['AAPL'], fromDay: day('2025-03-04'), toDay: day('2025-03-04') };
    const { rows } = await land([pathOf('in')], options);
    expect(rows.map(({ accession }) => accession)).toEqual(['0000320193-25-000002']);
  });

  it('puts unreadable files into the quarantine, with the reason, and goes on', async () => {
    put('in/a.xml', ownershipXml());
    put('in/b.xml', entityBomb(ownershipXml()));
    put('in/c.xml', ownershipXml().slice(0, 900));
    put('in/d.xml', Buffer.from(ownershipXml({ symbol: 'é' }), 'latin1'));
    put('in/e.txt', submission(ownershipXml()).replace(/ACCESSION NUMBER.*/, ''));
    put('in/f.xml', ownershipXml({ transactions: [{ shares: 'many' }, { shares: '-5' }] }));
    put('in/g.xml', ownershipXml({ signed: 'yesterday' }));
    put('in/h.xml', ownershipXml({ symbol: 'NONE' }));
    const { rows, segments, quarantine } = await land([pathOf('in')]);
    expect(rows).toHaveLength(1);
    expect(segments[0]).toMatchObject({ accepted: 1, rejected: 8, skipped: [] });
    const reasons = [
      'b.xml.*declares a document type',
      'c.xml.*not well-formed',
      'd.xml.*not in its encoding',
      'e.txt.*has no number',
      'f.xml.*shares is not a number',
      'f.xml.*shares is below 0',
      'g.xml.*filedAt is missing',
      'h.xml.*the issuer has no ticker',
    ];
    for (const reason of reasons) expect(quarantine).toMatch(new RegExp(reason));
  });

  long('refuses documents of 100 MB and more without taking them into memory', async () => {
    const path = pathOf('huge.xml');
    const file = createWriteStream(path);
    file.write('<?xml version="1.0"?><ownershipDocument><remarks>');
    const megabyte = 'x'.repeat(1024 * 1024);
    for (let written = 0; written < 100; written++) {
      if (!file.write(megabyte)) await once(file, 'drain');
    }
    file.end('</remarks></ownershipDocument>');
    await once(file, 'close');
    const bomb = { name: 'bomb.xml', content: readFileSync(path) };
    put('bomb.zip', zipOf([bomb]));
    const before = process.memoryUsage().rss;
    const { segments } = await land([path, pathOf('bomb.zip')]);
    expect(segments[0]).toMatchObject({ accepted: 0, rejected: 2 });
    expect([...segments[0].rejectedByReason.keys()]).toEqual([
      `the document is larger than ${form4Limits.documentBytesMax} bytes`,
    ]);
    expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1024 * 1024);
  });

  it('names members that lead out of a zip, and damaged zips within a folder', async () => {
    put('in/a.zip', zipOf([{ name: '../../a.xml', content: ownershipXml() }]));
    put('in/b.zip', zipOf([{ name: 'b.xml', content: ownershipXml() }]).subarray(0, 60));
    const { segments, rows } = await land([pathOf('in')]);
    expect(rows).toEqual([]);
    expect(segments[0].skipped).toEqual([
      { name: '../../a.xml', reason: 'its name leads out of the zip', isRefused: true },
      {
        name: 'b.zip',
        reason: expect.stringContaining('truncated or damaged'),
        isRefused: true,
      },
    ]);
  });

  it('names a path that does not exist', async () => {
    await expect(land([pathOf('nowhere')])).rejects.toThrow(ParameterError);
  });

  it.skipIf(!hasRealdata)('gives all rows of real ones and refuses none', async () => {
    const accepted = {
      'sec/form4/374WaterForm4.xml': 2,
      'sec/form4/form4-10b5-1.xml': 14,
      'sec/form4/form5.snow.xml': 1,
      'sec/form4/form3.snow.xml': 0,
      'sec/form4/form3.nosecurities.xml': 0,
      'sec/form4/derivative_holding.fragment.xml': 0,
      'sec/form4_submission/0001127602-25-001055.txt': 1,
      'sec/form4_submission/0001127602-25-004598.nc': 2,
      'sec/form4_submission/0001562180-25-000280.nc': 2,
      'sec/insider_dataset_2024q3': 0,
      'sec/index': 0,
      'news/sec_atom': 0,
    };
    const { segments, rows } = await land(Object.keys(accepted).map(realdata));
    expect(segments).toHaveLength(1);
    expect(segments[0]).toMatchObject({ accepted: 22, rejected: 0 });
    const perFiling = [...Map.groupBy(rows, ({ accession }) => accession).values()];
    const counts = Object.values(accepted).filter((count) => count > 0);
    expect(perFiling.map(({ length }) => length).sort()).toEqual(counts.sort());
    const skipped = segments[0].skipped.map(({ name }) => name);
    for (const name of [
      'form3.snow.xml',
      'form3.nosecurities.xml',
      'derivative_holding.fragment.xml',
    ]) {
      expect(skipped).toContain(name);
    }
  });
});
