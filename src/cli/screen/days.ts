/** Rows of a screen over days: printed, or written to a file. */

import type { DaysRequest } from '../../api/study/screened-days.ts';
import { countText } from '../../base/count-text.ts';
import { visible } from '../../base/quoted.ts';
import { writeFile } from '../../base/world/file-promises.ts';
import { process } from '../../base/world/process.ts';
import type { ScreenTexts } from '../../screens/language/expression-error.ts';
import { nullSentence } from '../../screens/plan/null-parts.ts';
import type { PublishedVersion } from '../../store/arrow/read/published-version.ts';
import { exportFile, openForReading } from '../export/file.ts';
import type { openVerb } from '../options.ts';
import type { Output } from '../output.ts';
import { markingErrors } from './marked-error.ts';
import { dayLines, printCsv, timeText } from './print.ts';
import { type DaysResult, daysOfVersion } from './run.ts';
import { ROWS_DEFAULT, type ScreenOptions } from './screen-options.ts';

/** @param path File to write; undefined to print. */
export async function screenDays(
  request: DaysRequest,
  texts: ScreenTexts,
  path: string | undefined,
  { settings, output }: Pick<ReturnType<typeof openVerb>, 'settings' | 'output'>,
  { mode, format, limit }: ScreenOptions,
): Promise<void> {
  const run = (version: PublishedVersion, rowsMax: number) =>
    markingErrors(texts, () => daysOfVersion(version, request, limit ?? rowsMax));
  if (path === undefined) {
    using version = openForReading(settings.dataDir, mode);
    const isAll = format !== undefined;
    await print(output, run(version, isAll ? Number.MAX_SAFE_INTEGER : ROWS_DEFAULT), format);
    return;
  }
  let result: DaysResult | undefined;
  const file = await exportFile(settings.dataDir, mode, path, async (partial, version) => {
    result = run(version, Number.MAX_SAFE_INTEGER);
    if (format === 'json') await writeFile(partial, `${JSON.stringify(result.rows())}\n`);
    else {
      const { writeTables } = await import('../export/table-file.ts');
      await writeTables(partial, format ?? 'csv', [result.table()]);
    }
    return { symbols: result.symbols, rows: result.rowCount };
  });
  output.result({ path, format: format ?? 'csv', total: result!.total, ...file }, []);
  note(output, result!);
}

async function print(
  output: Output,
  result: DaysResult,
  format: ScreenOptions['format'],
): Promise<void> {
  if (format === 'csv') await printCsv(result.table());
  else if (format === 'json') {
    process.stdout.write(`${visible(JSON.stringify(result.rows()))}\n`);
  } else {
    const { total, symbols, tookMs, nulls } = result;
    const rows = result.rows();
    output.result({ total, symbols, tookMs, nulls, rows }, dayLines(rows, result.names));
  }
  note(output, result);
}

/** Prints the total and the time on stderr. */
function note(output: Output, { total, symbols, rowCount, tookMs, nulls }: DaysResult): void {
  const part = rowCount < total ? `, first ${countText(rowCount)} shown` : '';
  const days = `${countText(total)} ${total === 1 ? 'day' : 'days'}`;
  const of = `${countText(symbols)} ${symbols === 1 ? 'symbol' : 'symbols'}`;
  output.note(`${days} of ${of}${part}, ${timeText(tookMs)}`);
  const sentence = nullSentence(nulls);
  if (sentence) output.note(sentence);
}
