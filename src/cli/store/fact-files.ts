/** `symbols load`: states the facts of files and folders. */

import { join } from 'node:path';
import { ParameterError } from '../../base/errors.ts';
import { newYorkDay } from '../../base/time/calendar.ts';
import { wallMs } from '../../base/world/clock.ts';
import { readdir, readFile, stat } from '../../base/world/file-promises.ts';
import { process } from '../../base/world/process.ts';
import type { NamedFact } from '../../store/duckdb/securities/named-facts.ts';
import { type ModeOptions, openVerb } from '../options.ts';
import { withProgress } from '../progress.ts';

export async function loadFactFiles(files: string[], options: ModeOptions) {
  const { output, paths } = openVerb(options);
  const { parseFactFile } = await import('../../ingest/directory/parse-fact-file.ts');
  const { loadFacts } = await import('../../../jobs/inspect/symbols.ts');
  const facts: NamedFact[] = [];
  for (const path of await listFactFiles(files)) {
    const text = await readFile(path, 'utf8').catch((cause: unknown) => {
      throw new ParameterError('files', `files must be CSV files, got "${path}"`, { cause });
    });
    facts.push(...parseFactFile(text, path, newYorkDay(wallMs())));
  }
  const done = await withProgress(output, (shown) =>
    loadFacts(paths, facts, { verb: 'symbols load', nowMs: wallMs(), ...shown }),
  );
  const { stated, refused, warnings } = done;
  const known = facts.length - stated - refused.length;
  output.result({ mode: options.mode, known, ...done }, [
    `${stated} facts stated, ${known} stated before, ${refused.length} refused`,
    ...refused,
    ...warnings.map((text) => `warning: after symbols load, ${text}`),
  ]);
  if (refused.length > 0) process.exitCode = 1;
}

/** Returns the CSV files of folders, and other paths as they are. @throws {ParameterError} a folder has none. */
async function listFactFiles(paths: readonly string[]): Promise<string[]> {
  const files = await Promise.all(
    paths.map(async (path) => {
      const isFolder = await stat(path).then(
        (found) => found.isDirectory(),
        () => false,
      );
      if (!isFolder) return [path];
      const names = (await readdir(path)).filter((name) => /\.csv$/i.test(name)).sort();
      if (names.length > 0) return names.map((name) => join(path, name));
      throw new ParameterError('files', `files must be CSV files, and "${path}" has none`);
    }),
  );
  return files.flat();
}
