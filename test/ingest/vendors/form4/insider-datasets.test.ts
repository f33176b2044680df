/** Quarterly data sets of insiders' transactions, as zips and unpacked. */

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { hasRealdata, realdata } from '../../../support/realdata.ts';
import { zipOf } from '../../support/zip-file.ts';
import {
  datasetZip,
  sampleTables,
  TABLE_COLUMNS,
  type Tables,
  tableText,
} from './support/dataset-samples.ts';
import { filingFolder } from './support/filing-folder.ts';
import { ownershipXml, submission } from './support/filing-samples.ts';

describe('quarterly data sets', () => {
  const { pathOf, put, land, scratchFiles } = filingFolder();

  it('are joined by filing; lines follow the numbers of the rows', async () => {
    const path = put('2025q1_form345.zip', datasetZip(sampleTables));
    const { rows, segments } = await land([path]);
    expect(segments).toHaveLength(1);
    expect(segments[0]).toMatchObject({ source: 'form4-datasets', accepted: 4, rejected: 0 });
    expect(rows).toMatchObject([
      {
        symbol: 'AAPL',
        insider_name: 'COOK TIMOTHY D',
        title: 'Chief Executive Officer',
        transaction_type: 'exercise',
        transaction_date: '2025-02-28',
        shares: '100.0',
        price: '0.0',
        total_value: '0.0',
        shares_owned_after: '200.0',
        filed_at: '2025-03-03 00:00:00',
        is_derivative: 'false',
        accession: '0000320193-25-000001',
        line: '1',
        amends: null,
      },
      { line: '2', transaction_type: 'tax', price: null, total_value: null },
      { line: '3', transaction_type: 'exercise', is_derivative: 'true' },
      { accession: '0000320193-25-000002', line: '1', amends: '2025-03-03' },
    ]);
  });

  it('give the lines that the documents themselves give', async () => {
    const transactions = [
      { code: 'M', date: '2025-02-28', price: '0.0' },
      { code: 'F', date: '2025-02-28', shares: '30.0', price: null },
      { code: 'M', date: '2025-02-28', isDerivative: true },
    ];
    const filed = put('a.txt', submission(ownershipXml({ transactions })));
    const zip = put('q.zip', datasetZip(sampleTables));
    const { rows } = await land([filed, zip]);
    const lines = rows
      .filter(({ accession }) => accession === '0000320193-25-000001')
      .map(({ line, transaction_code }) => `${line} ${transaction_code}`);
    expect(lines.slice(0, 3)).toEqual(lines.slice(3));
  });

  it('are read unpacked too, one per folder', async () => {
    for (const [name, rows] of Object.entries(sampleTables)) {
      const text = tableText(name as keyof Tables & string, rows);
      put(`in/2025q1/${name}.tsv`, text);
      put(`in/2025q2/${name}.tsv`, text);
    }
    const { segments } = await land([pathOf('in')]);
    expect(segments.map(({ accepted }) => accepted)).toEqual([4, 4]);
  });

  it('refuse broken records with the reason', async () => {
    const [first] = sampleTables.NONDERIV_TRANS ?? [];
    const broken: Tables = {
      ...sampleTables,
      NONDERIV_TRANS: [
        { ...first, TRANS_DATE: '31-FEV-2025' },
        { ...first, NONDERIV_TRANS_SK: 'x' },
        { ...first, ACCESSION_NUMBER: '9999999999-25-000001' },
        { ...first, NONDERIV_TRANS_SK: 9, TRANS_SHARES: 'many' },
      ],
    };
    const text = tableText('NONDERIV_TRANS', broken.NONDERIV_TRANS ?? []);
    const members = Object.entries({ ...broken, NONDERIV_TRANS: undefined }).flatMap(
      ([name, rows]) =>
        rows ? [{ name, content: tableText(name as keyof Tables & string, rows) }] : [],
    );
    const invalid = Buffer.concat([Buffer.from(`${text}a\tb\n`), Buffer.from([0xff, 0xfe, 10])]);
    const content = { name: 'NONDERIV_TRANS.tsv', content: invalid };
    const { segments } = await land([put('q.zip', zipOf([...members, content]))]);
    expect(segments[0].accepted).toBe(1);
    expect([...segments[0].rejectedByReason.keys()].sort()).toEqual([
      'NONDERIV_TRANS_SK is not a whole number',
      'its filing is not among the submissions',
      'line has 1 fields and the header 28',
      'line has 2 fields and the header 28',
      'shares is not a number',
      'transactionDate is not a date like 2026-01-31',
    ]);
  });

  it('need only the columns that are read, in any order', async () => {
    const reversed = Object.entries(sampleTables).map(([name, rows]) => {
      const columns = TABLE_COLUMNS[name as keyof typeof TABLE_COLUMNS].toReversed();
      const lines = rows.map((row) => columns.map((column) => row[column] ?? '').join('\t'));
      return { name, content: [columns.join('\t'), ...lines].join('\r\n') };
    });
    const quoted = reversed.map(({ name, content }) => ({
      name,
      content: content.replaceAll('"', ''),
    }));
    const { segments } = await land([put('q.zip', zipOf(quoted))]);
    expect(segments[0]).toMatchObject({ accepted: 4, rejected: 0 });
  });

  it('leave nothing behind in the scratch folder', async () => {
    await land([put('q.zip', datasetZip(sampleTables))]);
    expect(await scratchFiles()).toEqual([]);
  });

  it.skipIf(!hasRealdata)('have the columns that the tests of data sets use', () => {
    const path = realdata('sec/insider_dataset_2024q3/FORM_345_metadata.json');
    const { tables } = JSON.parse(readFileSync(path, 'utf8'));
    for (const [name, columns] of Object.entries(TABLE_COLUMNS)) {
      const table = tables.find(({ url }: { url: string }) => url === `${name}.tsv`);
      const listed = table.tableSchema.columns.map((column: { name: string }) => column.name);
      expect(listed).toEqual(columns);
    }
  });
});
