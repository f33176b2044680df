/** The sample that ships with the program, beside the SEC's own files. */

import { hash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { STATEMENT_RULES } from '../../../../src/base/companies/statement-rules.ts';
import { companyRows } from '../../../../src/ingest/vendors/sec/company-rows.ts';
import { CONCEPTS } from '../../../../src/ingest/vendors/sec/concepts/concepts.ts';
import { parseCompanyFacts } from '../../../../src/ingest/vendors/sec/concepts/parse-companyfacts.ts';
import { parseSubmissions } from '../../../../src/ingest/vendors/sec/parse-submissions.ts';
import { vendor } from '../../../../src/ingest/vendors/sec/vendor.ts';
import { hasRealdata, realdata } from '../../../support/realdata.ts';
import { someOf } from '../../../support/store-runs.ts';
import { day } from './support/facts-json.ts';

const folder = vendor.command.sample?.path ?? '';
const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
const BYTES_MAX = 800_000;

const sampleJson = (name: string) =>
  JSON.parse(gunzipSync(readFileSync(join(folder, name))).toString());

it('is small', () => {
  const sizes = names.map((name) => statSync(join(folder, name)).size);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(BYTES_MAX);
});

it('names every company and its source in the README', () => {
  const readme = readFileSync(join(folder, '../README.md'), 'utf8');
  const files = names.filter((name) => name.endsWith('.gz'));
  expect(files.length).toBeGreaterThan(8);
  for (const name of files) {
    const [kind, file] = name.split(/[\\/]/);
    expect(readme).toMatch(
      new RegExp(`\\| ${file.slice(0, 13)} \\| \`${kind}\` \\|.*\\| 20\\d\\d-`),
    );
  }
});

// Revenue, net income and diluted earnings per share of the annual reports, in millions and dollars.
it.each(
  someOf(
    [
      ['NVIDIA', 'CIK0001045810', '2025-01-26', 130_497, 72_880, 2.94],
      ['Apple', 'CIK0000320193', '2024-09-28', 391_035, 93_736, 6.08],
      ['Microsoft', 'CIK0000789019', '2024-06-30', 245_122, 88_136, 11.8],
      ['Amazon', 'CIK0001018724', '2024-12-31', 637_959, 59_248, 5.53],
      ['Walmart', 'CIK0000104169', '2025-01-31', 680_985, 19_436, 2.41],
      ['Boeing', 'CIK0000012927', '2024-12-31', 66_517, -11_817, -18.36],
      ['Pfizer', 'CIK0000078003', '2024-12-31', 63_627, 8_031, 1.41],
    ],
    3,
  ),
)(
  'gives the figures of the annual report of %s',
  (_, cik, date, revenue, netIncome, epsDiluted) => {
    const facts = parseCompanyFacts(sampleJson(`companyfacts/${cik}.json.gz`));
    const { statements } = companyRows(facts, new Map());
    const annual = statements.find((row) => row.period === 'annual' && row.date === day(date));
    const found = { revenue: revenue * 1e6, netIncome: netIncome * 1e6, epsDiluted };
    expect(annual).toMatchObject(found);
  },
);

it('gives the rows of the number of the rules: raise it if they change', () => {
  const facts = parseCompanyFacts(sampleJson('companyfacts/CIK0001835632.json.gz'));
  const rows = JSON.stringify(companyRows(facts, new Map()));
  expect([STATEMENT_RULES, hash('sha256', rows).slice(0, 16)]).toEqual([7, '8399defb9941f9e8']);
});

it('gives a company with statements its sector and country', () => {
  const files = names.filter((name) => name.startsWith('companyfacts') && name.endsWith('.gz'));
  expect(files).toHaveLength(10);
  // The SEC's files of these two are of a day without their submissions.
  const known = files.filter((name) => !/CIK000(1640147|1652044)/.test(name));
  for (const name of known) {
    const { company } = parseSubmissions(sampleJson(name.replace('companyfacts', 'submissions')));
    expect(company).toMatchObject({ sector: expect.any(String), country: 'US' });
  }
});

describe.skipIf(!hasRealdata)('the sample and the files of the SEC', () => {
  it.each(
    someOf(
      [
        ['CIK0001045810', 'companyfacts/CIK0001045810.json'],
        ['CIK0001652044', 'companyfacts/CIK0001652044.json'],
        ['CIK0001835632', 'companyfacts/CIK0001835632.json'],
        ['CIK0001640147', 'companyfacts_SNOW.json'],
      ],
      2,
    ),
  )('give the same rows of %s', (cik, path) => {
    const whole = JSON.parse(readFileSync(realdata(`sec/${path}`), 'utf8'));
    const cut = sampleJson(`companyfacts/${cik}.json.gz`);
    const [wanted, found] = [whole, cut].map((json) =>
      companyRows(parseCompanyFacts(json), new Map()),
    );
    expect(wanted.statements.length).toBeGreaterThan(30);
    expect(found).toEqual(wanted);
    // Rules may read a concept in the files of some companies only.
    const tagged = Object.keys(whole.facts['us-gaap']);
    const read = tagged.filter((concept) => CONCEPTS.has(`us-gaap:${concept}`));
    expect(Object.keys(cut.facts['us-gaap'])).toEqual(read);
  });

  it.each(['CIK0001045810', 'CIK0001835632'])('give the same moments of %s', (cik) => {
    const path = realdata(`sec/submissions/${cik}.json`);
    const whole = parseSubmissions(JSON.parse(readFileSync(path, 'utf8')));
    const cut = parseSubmissions(sampleJson(`submissions/${cik}.json.gz`));
    expect(cut.company).toEqual(whole.company);
    expect(cut.acceptedMs.size).toBeGreaterThan(0);
    for (const [accession, ms] of cut.acceptedMs) expect(whole.acceptedMs.get(accession)).toBe(ms);
  });
});
