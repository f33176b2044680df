/** The sample that ships with the program, beside the SEC's own files. */

import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { companyRows } from '../../../../src/ingest/vendors/sec/company-rows.ts';
import { parseCompanyFacts } from '../../../../src/ingest/vendors/sec/facts/parse-companyfacts.ts';
import { parseSubmissions } from '../../../../src/ingest/vendors/sec/parse-submissions.ts';
import { vendor } from '../../../../src/ingest/vendors/sec/vendor.ts';
import { hasRealdata, realdata } from '../../../support/realdata.ts';
import { day } from './support/facts-json.ts';

const folder = vendor.command.sample?.path ?? '';
const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
const BYTES_MAX = 200_000;

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

it('gives the revenue and net income of the annual report', () => {
  const facts = parseCompanyFacts(sampleJson('companyfacts/CIK0001045810.json.gz'));
  const { statements } = companyRows(facts, new Map());
  const annual = statements.find(
    ({ period, date }) => period === 'annual' && date === day('2025-01-26'),
  );
  // NVIDIA's report of fiscal year 2025.
  expect(annual).toMatchObject({ revenue: 130_497e6, netIncome: 72_880e6 });
});

describe.skipIf(!hasRealdata)('the sample and the files of the SEC', () => {
  it.each([
    ['CIK0001045810', 'companyfacts/CIK0001045810.json'],
    ['CIK0001652044', 'companyfacts/CIK0001652044.json'],
    ['CIK0001835632', 'companyfacts/CIK0001835632.json'],
    ['CIK0001640147', 'companyfacts_SNOW.json'],
  ])('give the same rows of %s', (cik, path) => {
    const whole = JSON.parse(readFileSync(realdata(`sec/${path}`), 'utf8'));
    const cut = sampleJson(`companyfacts/${cik}.json.gz`);
    const [wanted, found] = [whole, cut].map((json) =>
      companyRows(parseCompanyFacts(json), new Map()),
    );
    expect(wanted.statements.length).toBeGreaterThan(30);
    expect(found).toEqual(wanted);
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
