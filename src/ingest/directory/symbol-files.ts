/** Reads names, exchanges and sectors of symbols from the user's own files. */

import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { symbols } from '../../base/datasets/market.ts';
import { ParameterError } from '../../base/errors.ts';
import { selectRows } from '../../store/duckdb/connection/sql-rows.ts';
import { columnOfField } from '../../store/duckdb/rows/dataset-table.ts';
import type { StatedFacts } from '../../store/duckdb/securities/symbols.ts';
import type { FetchContext, FetchedFacts } from '../contract/fetch-context.ts';
import type { SourceOptions } from '../contract/source-options.ts';
import { listInputs } from '../inputs/list-inputs.ts';
import { scanInputs } from '../inputs/scan-inputs.ts';
import { nothingGood, rowsOfFiles } from '../rows/files.ts';
import { nameRefusedFiles, stageGoodRows } from '../rows/segment.ts';
import { countReasons, writeQuarantine } from '../segments/quarantine.ts';
import { openScratch } from '../segments/scratch.ts';

const SOURCE = 'files';

/**
 * Reads a file, folder or zip of rows of the dataset `symbols`; the last row of a symbol counts.
 * An empty field changes nothing.
 *
 * @throws {ParameterError} `path` is missing or nothing is there.
 * @throws {SourceEmptyError} no row is good.
 */
export async function* fetchSymbolFiles(
  options: SourceOptions,
  context: FetchContext,
): AsyncGenerator<FetchedFacts> {
  const { path } = options;
  if (!path) throw new ParameterError('path', 'path must be a file, folder or zip for files');
  const scratch = await openScratch(context);
  try {
    const { files, skipped } = await listInputs(path);
    const scanned = await scanInputs(files, scratch.folder, context);
    const partFiles = new Set<string>();
    const rows = rowsOfFiles(symbols, scanned, { options, scratch, skipped, partFiles });
    const names = await stageGoodRows(scratch, symbols, rows, context);
    const fields = symbols.columns.map(({ name, kind }) => {
      const column = columnOfField(name);
      return `${kind === 'integer' ? `${column}::DOUBLE` : column} AS "${name}"`;
    });
    const facts = await selectRows<StatedFacts>(
      await scratch.connect(),
      `SELECT ${fields.join(', ')} FROM accepted ORDER BY symbol`,
    );
    const refusedFileLines = await nameRefusedFiles(scratch, names, partFiles, skipped);
    const rejectedByReason = await countReasons(scratch);
    if (rejectedByReason.size > 0) {
      const id = createHash('sha256').update(JSON.stringify(facts)).digest('hex');
      await writeQuarantine(scratch, SOURCE, names, join(context.paths.quarantine, `${id}.csv`));
    }
    if (facts.length === 0) throw nothingGood(path, { skipped, rejectedByReason });
    yield { source: SOURCE, facts, origin: path, skipped, rejectedByReason, refusedFileLines };
  } finally {
    await scratch.close();
  }
}
