/** Random files of bars: what is read is what was written, or the file is refused. */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { fetchFiles } from '../../src/ingest/files/source.ts';
import { inMemory } from '../ingest/support/in-memory.ts';
import { fetchAll, testContext } from '../ingest/support/segment-rows.ts';
import { fuzz } from './fuzz.ts';
import { type Table, writtenFiles } from './write-file.ts';
import { type FileChoices, fileChoices } from './written-file.ts';

const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;

async function writeParquet({ names, types, rows }: Table, path: string): Promise<void> {
  const json = `${path}.json`;
  writeFileSync(json, JSON.stringify(rows.map(({ values }) => values)));
  const columns = names.map(
    (name, i) => `(v->>${i})::${types[i]} AS ${quoted(name || '__index_level_0__')}`,
  );
  await inMemory((connection) =>
    connection.run(`SET TimeZone = 'UTC'; COPY (SELECT ${columns} FROM (SELECT unnest(content::JSON[]) AS v
      FROM read_text('${json}'))) TO '${path}' (FORMAT parquet)`),
  );
  rmSync(json);
}

async function holds(choices: FileChoices): Promise<string> {
  const root = mkdtempSync(join(tmpdir(), 'tapeworks-fuzz-'));
  try {
    const { files, bars, basis } = writtenFiles(choices);
    if (bars.length === 0) return 'without bars';
    for (const [name, content] of Object.entries(files)) {
      const path = join(root, 'input', name);
      mkdirSync(dirname(path), { recursive: true });
      if (Buffer.isBuffer(content)) writeFileSync(path, content);
      else await writeParquet(content, path);
    }
    const [only, ...others] = Object.keys(files);
    const path = join(root, 'input', others.length === 0 && !only.includes('/') ? only : '');
    const context = testContext(root, '2026-11-20T22:00:00Z');
    const all = await fetchAll(fetchFiles({ path }, context)).catch((error: Error) => {
      if (error.constructor.name === 'SourceEmptyError') {
        return undefined;
      }
      throw error;
    });
    const isLong = choices.interval.startsWith('1w') || choices.interval === '1mo';
    if (!all) return isLong ? 'weeks refused' : 'refused';
    const key = (bar: { symbol: string; date: string }) => `${bar.symbol} ${bar.date}`;
    const written = new Map(bars.map((bar) => [key(bar), bar]));
    let count = 0;
    for (const { rows, segment } of all) {
      if (rows.length === 0) continue;
      if (!isLong) expect([segment.interval, segment.basis]).toEqual([choices.interval, basis]);
      for (const row of rows)
        expect(row).toEqual(written.get(key(row)) ?? `${key(row)} was not written`);
      count += rows.length;
    }
    if (isLong) {
      expect(count, 'weeks are no days').toBe(0);
      return 'weeks refused';
    }
    const refused = all.reduce((sum, { rejected }) => sum + rejected, 0);
    const hasSkipped = all.some(({ segment }) => segment.skipped.length > 0);
    if (!hasSkipped) expect(count + refused).toBeGreaterThanOrEqual(bars.length);
    return count === bars.length ? 'equal' : 'partly refused';
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

it('are read as they were written, or refused', async () => {
  await fuzz('random files of bars', fileChoices, holds, [12, 3000]);
});
