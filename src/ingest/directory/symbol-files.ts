import { createHash } from 'node:crypto';
import { symbols } from '../../base/datasets/market.ts';
import { columnOfField } from '../../store/duckdb/connection/dataset-columns.ts';
import { selectRows } from '../../store/duckdb/connection/sql-rows.ts';
import type { StatedFacts } from '../../store/duckdb/securities/symbols.ts';
import type { FetchContext, FetchedFacts } from '../contract/fetch-context.ts';
import type { SourceOptions } from '../contract/source-options.ts';
import { nothingGood, stageFiles } from '../rows/files.ts';
import { writeQuarantine } from '../segments/quarantine.ts';
import { openScratch } from '../segments/scratch.ts';

const SOURCE = 'files';

/**
 * Reads rows of the dataset `symbols`. An empty field changes nothing.
 * @throws {SourceEmptyError} no row is good.
 */
export async function* fetchSymbolFiles(
  options: SourceOptions,
  context: FetchContext,
): AsyncGenerator<FetchedFacts> {
  await using scratch = await openScratch(context);
  const { path, names, ...findings } = await stageFiles(symbols, options, { scratch, context });
  const { skipped, notes, refusedFileLines, rejectedByReason } = findings;
  const fields = symbols.columns.map(({ name, kind }) => {
    const column = columnOfField(name);
    return `${kind === 'integer' ? `${column}::DOUBLE` : column} AS "${name}"`;
  });
  const facts = await selectRows<StatedFacts>(
    await scratch.connect(),
    `SELECT ${fields.join(', ')} FROM accepted ORDER BY symbol`,
  );
  const id = createHash('sha256').update(JSON.stringify(facts)).digest('hex');
  await writeQuarantine(scratch, context, { id, source: SOURCE, names });
  if (facts.length === 0) throw nothingGood(path, { skipped, rejectedByReason });
  const head = { source: SOURCE, facts, origin: path };
  yield { ...head, skipped, notes, rejectedByReason, refusedFileLines };
}
