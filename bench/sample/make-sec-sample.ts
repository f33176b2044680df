/**
 * Makes `src/ingest/vendors/sec/sample` from files of the SEC: `node bench/sample/make-sec-sample.ts
 * companyfacts/ submissions/ company_tickers_exchange.json`. It keeps what the reader of the SEC's files reads and nothing else.
 * Works of the United States government are in the public domain.
 */

import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { CONCEPTS } from '../../src/ingest/vendors/sec/concepts/concepts.ts';
import {
  isCompanyFacts,
  isObject,
  type Json,
} from '../../src/ingest/vendors/sec/concepts/parse-companyfacts.ts';
import { isSubmissions } from '../../src/ingest/vendors/sec/parse-submissions.ts';

const FOLDER = fileURLToPath(new URL('../../src/ingest/vendors/sec/sample/files', import.meta.url));
const README = join(FOLDER, '../README.md');

/** Fields of a fact that are read. */
const FACT_FIELDS = ['start', 'end', 'val', 'accn', 'fy', 'fp', 'form', 'filed'];
const COMPANY_FIELDS = ['cik', 'name', 'tickers', 'exchanges', 'sic', 'sicDescription'];
const FILING_LISTS = ['accessionNumber', 'acceptanceDateTime', 'filingDate'];

interface Kept {
  cik: string;
  name: string;
  newest: string;
  facts: number;
  kind: 'companyfacts' | 'submissions';
}

function pick(from: Json, fields: readonly string[]): Json {
  return Object.fromEntries(fields.flatMap((name) => (name in from ? [[name, from[name]]] : [])));
}

/** Keeps the concepts that are read, and returns the accession numbers of their filings. */
function trimmedFacts(json: Json, accessions: Set<string>): { json: Json; dates: string[] } {
  const dates: string[] = [];
  const facts: Record<string, Json> = {};
  for (const [taxonomy, concepts] of Object.entries(json.facts as Record<string, Json>)) {
    for (const [name, concept] of Object.entries(concepts)) {
      if (!CONCEPTS.has(`${taxonomy}:${name}`) || !isObject(concept)) continue;
      const units = Object.entries(concept.units as Record<string, Json[]>).map(([unit, all]) => {
        for (const { accn, filed } of all) {
          accessions.add(String(accn));
          dates.push(String(filed));
        }
        return [unit, all.map((fact) => pick(fact, FACT_FIELDS))];
      });
      facts[taxonomy] ??= {};
      facts[taxonomy][name] = { units: Object.fromEntries(units) };
    }
  }
  return { json: { cik: json.cik, entityName: json.entityName, facts }, dates };
}

/** Keeps who the company is, and the acceptance times of filings with kept facts. */
function trimmedSubmissions(json: Json, accessions: ReadonlySet<string>): Json {
  const { recent } = json.filings as { recent: Record<string, string[]> };
  const wanted = recent.accessionNumber.flatMap((one, i) => (accessions.has(one) ? [i] : []));
  const lists = FILING_LISTS.map((name) => [name, wanted.map((i) => recent[name][i])]);
  const addresses = Object.entries((json.addresses ?? {}) as Record<string, Json>).map(
    ([kind, address]) => [kind, pick(address, ['stateOrCountry'])],
  );
  return {
    ...pick(json, COMPANY_FIELDS),
    addresses: Object.fromEntries(addresses),
    filings: { recent: Object.fromEntries(lists), files: [] },
  };
}

function jsonFiles(paths: readonly string[]): { path: string; json: unknown }[] {
  const files = paths.flatMap((path) =>
    path.endsWith('.json')
      ? [path]
      : readdirSync(path)
          .filter((name) => name.endsWith('.json'))
          .map((name) => join(path, name)),
  );
  return files.sort().map((path) => ({ path, json: JSON.parse(readFileSync(path, 'utf8')) }));
}

function cikName(cik: unknown): string {
  return `CIK${String(cik).replace(/^0+/, '').padStart(10, '0')}`;
}

function write(kind: string, cik: unknown, json: Json): void {
  mkdirSync(join(FOLDER, kind), { recursive: true });
  const packed = gzipSync(JSON.stringify(json), { level: 9 });
  writeFileSync(join(FOLDER, kind, `${cikName(cik)}.json.gz`), packed);
}

/** Returns true for a company with a listed ticker. Persons and over-the-counter stocks have none. */
function isOfExchange({ exchanges }: Json): boolean {
  return (exchanges as (string | null)[]).some((one) => one !== null && one !== 'OTC');
}

interface SecTickers {
  fields: string[];
  data: [cik: number, ...unknown[]][];
}

function isSecTickers(json: unknown): json is SecTickers {
  return isObject(json) && Array.isArray(json.fields) && Array.isArray(json.data);
}

function writeTickers({ fields, data }: SecTickers, ciks: ReadonlySet<number>): void {
  const own = data.filter(([cik]) => ciks.has(cik));
  const text = JSON.stringify({ fields, data: own });
  writeFileSync(join(FOLDER, 'company_tickers_exchange.json'), `${text}\n`);
}

function readmeText(kept: readonly Kept[]): string {
  const rows = kept.map(
    ({ cik, name, kind, facts, newest }) =>
      `| ${name} | ${cik} | \`${kind}\` | ${facts || ''} | ${newest} |`,
  );
  return `# Sample of the SEC's data

\`npx tapeworks backfill sec --sample\` loads these files without network. They are real: \`companyfacts\` from \`https://data.sec.gov/api/xbrl/companyfacts/CIK##########.json\`, \`submissions\` from \`https://data.sec.gov/submissions/CIK##########.json\`, tickers from \`https://www.sec.gov/files/company_tickers_exchange.json\`. Works of the United States government are in the public domain.

The files are cut to the fields that Tapeworks reads; no value was changed. \`node bench/sample/make-sec-sample.ts companyfacts/ submissions/ company_tickers_exchange.json\` makes them from the SEC's own. A company without \`companyfacts\` has a sector, an industry and a country, and no statements.

Files of Apple, Microsoft and Walmart are of 2026-10-05, those of Amazon, Boeing and Pfizer of 2026-10-07. They come from the tests of the Python package \`finpanel\` 0.1.0a2, which ships the SEC's bytes with address, time and SHA-256; the digests agree. Its file of NVIDIA has all 26,903 facts of the one that Tapeworks already had, with equal values.

| company | CIK | file | facts | newest filing |
|---|---|---|---|---|
${rows.join('\n')}
`;
}

function main(paths: readonly string[]): void {
  rmSync(FOLDER, { recursive: true, force: true });
  const accessions = new Set<string>();
  const kept: Kept[] = [];
  const files = jsonFiles(paths);
  for (const { json } of files) {
    if (!isCompanyFacts(json)) continue;
    const trimmed = trimmedFacts(json, accessions);
    write('companyfacts', json.cik, trimmed.json);
    const newest = trimmed.dates.sort().at(-1) ?? '';
    const cik = cikName(json.cik);
    const head = { cik, name: String(json.entityName), kind: 'companyfacts' } as const;
    kept.push({ ...head, facts: trimmed.dates.length, newest });
  }
  for (const { path, json } of files) {
    if (!isSubmissions(json) || !isOfExchange(json)) continue;
    const dates = (json.filings as { recent: { filingDate: string[] } }).recent.filingDate;
    write('submissions', json.cik, trimmedSubmissions(json, accessions));
    const head = { cik: cikName(json.cik), name: String(json.name), kind: 'submissions' } as const;
    kept.push({ ...head, facts: 0, newest: dates.toSorted().at(-1) ?? basename(path) });
  }
  const ciks = new Set(kept.map(({ cik }) => Number(cik.slice(3))));
  for (const { json } of files) if (isSecTickers(json)) writeTickers(json, ciks);
  writeFileSync(README, readmeText(kept));
}

main(process.argv.slice(2));
