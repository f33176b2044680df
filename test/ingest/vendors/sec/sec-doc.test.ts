/** The documented rules are those of the code. */

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { CONCEPTS } from '../../../../src/ingest/vendors/sec/concepts/concepts.ts';
import { SIC_RANGES } from '../../../../src/ingest/vendors/sec/sic-sectors.ts';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const doc = readFileSync(`${root}docs/sec.md`, 'utf8');

describe('docs/sec.md', () => {
  it('names every concept that is read', () => {
    const names = [...CONCEPTS].map((concept) => concept.replace('us-gaap:', ''));
    expect(names.filter((name) => !doc.includes(`\`${name}\``))).toEqual([]);
  });

  it('lists the codes of every sector', () => {
    const rows = new Map(
      doc.split('\n').map((line) => {
        const [, sector, codes] = line.split('|').map((cell) => cell.trim());
        return [sector, codes?.split(', ')] as const;
      }),
    );
    for (const [first, last, sector] of SIC_RANGES) {
      expect(rows.get(sector)).toContain(first === last ? String(first) : `${first}–${last}`);
    }
  });
});
