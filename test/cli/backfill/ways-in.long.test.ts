/**
 * Every dialect of docs/files.md over each way in of the real program, with its plainest command:
 * each file alone, a folder, a zip, and uploads to the API by the Python package.
 */

import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type DialectFile, fileOf, renamer } from '../../ingest/files/support/dialect.ts';
import { DIALECTS } from '../../ingest/files/support/dialects.ts';
import { zipOf } from '../../ingest/support/zip-file.ts';
import { freshFolder } from '../../support/folders.ts';
import { runPython } from '../../support/python-package.ts';
import { python } from '../../support/tools.ts';
import { planSandbox } from '../support/full-sandbox.ts';
import { type CliFolder, createCliFolder } from '../support/run-cli.ts';

/** Files of all dialects below one folder, each of symbols of its own. */
async function writtenFiles(): Promise<{ folder: string; files: DialectFile[] }> {
  const folder = freshFolder();
  const files = await Promise.all(
    Object.values(DIALECTS).map(async (dialect, index) => {
      const file = await fileOf(dialect, renamer(index));
      return { ...file, name: `${index}/${file.name}` };
    }),
  );
  for (const { name, content } of files) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  return { folder, files };
}

const STORED = `SELECT concat_ws(' ', basis, symbol,
    CASE interval WHEN '1d' THEN strftime(ts, '%Y-%m-%d') ELSE strftime(ts, '%Y-%m-%dT%H:%M:%SZ') END,
    open, high, low, close, volume) AS bar FROM candles`;

async function storedBars(cli: CliFolder): Promise<string[]> {
  const rows: { bar: string }[] = await cli.json('sql', STORED);
  const bars = rows.map(({ bar }) => bar.replaceAll(/(\d)\.0(?= |$)/g, '$1'));
  return bars.sort();
}

const barsOf = (files: readonly DialectFile[]) => files.flatMap(({ bars }) => bars).sort();

type Load = (cli: CliFolder, files: readonly DialectFile[], folder: string) => Promise<unknown>;

const alone: Load = async (cli, files, folder) => {
  for (const { name } of files) {
    await cli.json('backfill', 'files', 'candles', join(folder, name));
  }
};

/** Starts the program, and hands its address and a key that may load to a client. */
async function withServer(
  cli: CliFolder,
  work: (address: string, key: string) => Promise<unknown>,
): Promise<void> {
  planSandbox(cli, 5);
  const { document, stop } = await cli.start('start');
  const created = await cli.json(
    ...['keys', 'create', '--mode', 'live', '--label', 'loads', '--scopes', 'all,ingest:write'],
  );
  await work(document.address, created.rawKey);
  expect(await stop()).toBe(0);
}

const fromPython: Load = (cli, files, folder) =>
  withServer(cli, (address, key) => {
    const program = `
import json, sys, tapeworks
address, key, *paths = sys.argv[1:]
tw = tapeworks.connect(address, key)
for path in paths:
    load = tw.backfill_file(path)
    assert load["state"] == "done", load`;
    const paths = files.map(({ name }) => join(folder, name));
    return runPython(program, { args: [address, key, ...paths] });
  });

const isInnerZip = ({ name }: DialectFile) => name.endsWith('.zip');

const WAYS: Record<string, { load: Load; leftOut?: (file: DialectFile) => boolean }> = {
  'each file alone': { load: alone },
  'a folder': { load: (cli, _, folder) => cli.json('backfill', 'files', 'candles', folder) },
  'a zip': {
    leftOut: isInnerZip,
    load(cli, files, folder) {
      const path = join(folder, '../all.zip');
      writeFileSync(path, zipOf(files));
      return cli.json('backfill', 'files', 'candles', path);
    },
  },
  'the Python package': { load: fromPython },
};

describe.skipIf(!python)('all dialects load', () => {
  it.each(Object.entries(WAYS))('over %s', async (_, { load, leftOut = () => false }) => {
    const cli = createCliFolder();
    const { folder, files } = await writtenFiles();
    const own = files.filter((file) => !leftOut(file));
    await load(cli, own, folder);
    expect(await storedBars(cli)).toEqual(barsOf(own));
    await cli.remove();
  });
});
