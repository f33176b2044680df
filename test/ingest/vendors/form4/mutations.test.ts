/** Every parser of filings on changed copies of every sample: rows or reasons, never a crash. */

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { insider } from '../../../../src/base/datasets/filings.ts';
import { MalformedInputError, TapeworksError } from '../../../../src/base/errors.ts';
import { rowFault } from '../../../../src/ingest/rows/check-row.ts';
import type { UncheckedRow } from '../../../../src/ingest/rows/stage-rows.ts';
import { isTransactionForm } from '../../../../src/ingest/vendors/form4/edgar-days.ts';
import { reportRows, rowsOfSubmission } from '../../../../src/ingest/vendors/form4/files.ts';
import { parseEdgarAtom } from '../../../../src/ingest/vendors/form4/parse-edgar-atom.ts';
import { parseForm4 } from '../../../../src/ingest/vendors/form4/parse-form4.ts';
import { parseFormIndex } from '../../../../src/ingest/vendors/shared/parse-form-index.ts';
import { xmlTextFromBytes } from '../../../../src/ingest/vendors/shared/parse-xml.ts';
import { hasRealdata, realdata } from '../../../support/realdata.ts';
import { someOf } from '../../../support/store-runs.ts';
import {
  entityBomb,
  reversedXml,
  withUnknownElements,
  xmlMutationsOf,
} from '../../support/xml-mutations.ts';
import { currentFeed, formIndex, ownershipXml, submission } from './support/filing-samples.ts';

const FILED = { accession: '0000320193-25-000001', filedAtMs: Date.parse('2025-03-03T21:30:00Z') };

const read = (path: string) => readFileSync(realdata(path));

const documents: Record<string, string> = {
  sample: ownershipXml({ transactions: [{}, { isDerivative: true, code: 'M' }] }),
  amendment: ownershipXml({ form: '4/A', original: '2025-02-03' }),
  ...(hasRealdata &&
    Object.fromEntries(
      ['374WaterForm4', 'form4-10b5-1', 'form5.snow', 'form3.snow', 'form3.nosecurities'].map(
        (name) => [name, xmlTextFromBytes(read(`sec/form4/${name}.xml`))],
      ),
    )),
};

const submissions: Record<string, string> = {
  sample: submission(ownershipXml()),
  ...(hasRealdata &&
    Object.fromEntries(
      ['0001127602-25-001055.txt', '0001127602-25-004598.nc', '0001562180-25-000280.nc'].map(
        (name) => [name, read(`sec/form4_submission/${name}`).toString('latin1')],
      ),
    )),
};

/** Expects that every row is good or has a reason for its refusal. */
function expectReasons(rows: UncheckedRow[] | string): void {
  if (typeof rows === 'string') {
    expect(rows).not.toBe('');
    return;
  }
  for (const row of rows) {
    const reason = 'row' in row ? rowFault(insider, row.row) : row.reason;
    expect(reason).not.toBe('');
  }
}

function expectRowsOrReason(parse: () => UncheckedRow[] | string, name: string): void {
  let rows: UncheckedRow[] | string;
  try {
    rows = parse();
  } catch (error) {
    if (error instanceof TapeworksError) return;
    throw new Error(`"${name}" crashed the parser`, { cause: error });
  }
  expectReasons(rows);
}

const documentRows = (text: string) => reportRows(parseForm4(text), FILED, new Map());

describe.each(someOf(Object.entries(documents), 5))('the document %s', (_name, sample) => {
  it('gives rows or a reason whatever is changed', () => {
    const mutations = xmlMutationsOf(sample);
    expect(mutations.length).toBeGreaterThan(100);
    for (const { name, text } of mutations) expectRowsOrReason(() => documentRows(text), name);
  });

  it('gives the same rows in another order of elements and with unknown ones', () => {
    const { contentId: _id, ...report } = parseForm4(sample);
    expect(parseForm4(withUnknownElements(sample))).toMatchObject(report);
    expect(parseForm4(reversedXml(sample))).toMatchObject(report);
  });
});

describe.each(someOf(Object.entries(submissions), 2))('the submission %s', (_name, sample) => {
  it('gives rows or a reason whatever is changed', () => {
    const lines = sample.split(/(?<=[\r\n])/);
    for (const [at, line] of someOf(lines.entries(), 5)) {
      for (const by of ['', '\n', 'x\n', line + line]) {
        const text = lines.with(at, by).join('');
        const parse = () => rowsOfSubmission(Buffer.from(text, 'latin1'), new Map());
        expectRowsOrReason(parse, `line ${at + 1} is ${JSON.stringify(by.slice(0, 20))}`);
      }
    }
    for (const share of [0, 0.1, 0.3, 0.5, 0.9, 0.999]) {
      const text = sample.slice(0, sample.length * share);
      const parse = () => rowsOfSubmission(Buffer.from(text, 'latin1'), new Map());
      expectRowsOrReason(parse, `cut off at ${share}`);
    }
  });
});

describe('hostile documents', () => {
  it('are refused if they declare entities, which would expand without end', () => {
    expect(() => parseForm4(entityBomb(ownershipXml({ symbol: '&l11;' })))).toThrow(
      /document type/,
    );
    expect(() => parseEdgarAtom(entityBomb('<feed><title>&l11;</title></feed>'))).toThrow(
      MalformedInputError,
    );
  });

  it.each([
    ['nested without end', '<ownershipDocument>'.repeat(100_000)],
    ['nested and closed', '<a>'.repeat(50_000) + '</a>'.repeat(50_000)],
    [
      'of names that objects have',
      '<ownershipDocument><__proto__>1</__proto__></ownershipDocument>',
    ],
    ['of NUL', '\0'.repeat(1000)],
    ['empty', ''],
    ['a page', '<html><body><p>Request Rate Threshold Exceeded</body></html>'],
  ])('are refused: %s', (_what, text) => {
    expect(() => parseForm4(text)).toThrow(MalformedInputError);
  });

  it('are refused if their bytes are not in their encoding', () => {
    const bytes = Buffer.from(ownershipXml({ symbol: 'AAPL\xe9' }), 'latin1');
    expect(() => xmlTextFromBytes(bytes)).toThrow(/not in its encoding/);
    const unknown = Buffer.from('<?xml version="1.0" encoding="klingon"?><a/>');
    expect(() => xmlTextFromBytes(unknown)).toThrow(/klingon/);
  });

  it('refuse a ticker of NUL and surrogates, and do not store them', () => {
    const rows = documentRows(ownershipXml({ symbol: '&#0;&#xD800;' }));
    expect(rows).toMatchObject([{ reason: 'the issuer has no ticker' }]);
  });
});

describe('indexes and feeds', () => {
  const indexes = [
    formIndex([{ accession: '0000320193-25-000002' }]),
    ...(hasRealdata ? [read('sec/index/badform.idx.txt').toString('latin1')] : []),
  ];
  it.each(indexes)('give filings or reasons whatever is changed (index %#)', (sample) => {
    const lines = sample.split('\n');
    for (const [at, line] of lines.entries()) {
      for (const by of ['', 'x', line.slice(0, 50), line.trim(), `${line}${line}`, '\u00e9']) {
        try {
          const { lineCount, refused } = parseFormIndex(
            lines.with(at, by).join('\n'),
            isTransactionForm,
          );
          expect(refused.length).toBeLessThanOrEqual(lineCount);
        } catch (error) {
          expect(error).toBeInstanceOf(MalformedInputError);
        }
      }
    }
  });

  it('give filings or reasons whatever is changed in a feed', () => {
    const entry = { accession: '0000320193-25-000001', at: '2025-03-03T16:30:00-05:00' };
    const feed = currentFeed([entry, { ...entry, accession: '0000320193-25-000002' }]);
    for (const { name, text } of xmlMutationsOf(feed.toString('latin1'))) {
      try {
        const { filings, refused, entryCount } = parseEdgarAtom(text);
        expect(filings.length + refused.length, name).toBeLessThanOrEqual(entryCount);
      } catch (error) {
        expect(error, name).toBeInstanceOf(MalformedInputError);
      }
    }
  });
});
