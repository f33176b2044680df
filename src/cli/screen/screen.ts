/** `screen [where]`: screens the published data; works without a server, and while one runs. */

import { type Command, Option } from 'commander';
import { countText } from '../../base/count-text.ts';
import { UsageError } from '../../base/errors.ts';
import { visible } from '../../base/quoted.ts';
import { writeFile } from '../../base/world/file-promises.ts';
import { process } from '../../base/world/process.ts';
import { nullSentence } from '../../screens/plan/null-parts.ts';
import { exportFile, openForReading, type WrittenRows } from '../export/file.ts';
import type { ExportFormat } from '../export/formats.ts';
import { pathFromOption } from '../export/out-path.ts';
import { modeOption, openVerb, symbolsFromOption, wholeNumberFor } from '../options.ts';
import type { Output } from '../output.ts';
import { explanationLines, printCsv, screenLines, timeText } from './print.ts';
import type { ScreenResult } from './run.ts';
import { ROWS_DEFAULT, SCREEN_FORMATS, type ScreenOptions } from './screen-options.ts';

async function screenPublished(where: string | undefined, options: ScreenOptions): Promise<void> {
  const { settings, output } = openVerb(options);
  checkFormat(options);
  const { out, mode, explain } = options;
  const path = out === undefined ? undefined : pathFromOption(out, options.force === true);
  const [{ requestFromOptions, screenVersion }, { markingErrors }] = await Promise.all([
    import('./run.ts'),
    import('./marked-error.ts'),
  ]);
  const texts = { where, columns: options.columns, sort: options.sort };
  const request = requestFromOptions({ ...options, ...texts });
  if (request.days) {
    const { screenDays } = await import('./days.ts');
    await screenDays(request.days, texts, path, { settings, output }, options);
    return;
  }
  const isAll = path !== undefined || explain !== undefined;
  const limit = options.limit ?? (isAll ? Number.MAX_SAFE_INTEGER : ROWS_DEFAULT);
  if (path !== undefined) {
    const format = options.format ?? 'csv';
    let result: ScreenResult | undefined;
    const file = await exportFile(settings.dataDir, mode, path, async (partial, version) => {
      result = markingErrors(texts, () => screenVersion(version, request, limit));
      return writeResult(partial, format, result);
    });
    output.result({ path, format, ...summaryOf(result!), ...file }, []);
    note(output, result!);
    return;
  }
  using version = openForReading(settings.dataDir, mode);
  const result = markingErrors(texts, () => screenVersion(version, request, limit));
  await print(output, result, options);
}

/** @throws {UsageError} the format needs a file. */
function checkFormat({ format, out, json, explain }: ScreenOptions): void {
  const isBinary = format === 'arrow' || format === 'parquet';
  if (isBinary && out === undefined) throw new UsageError(`--format ${format} needs --out`);
  if (format && out === undefined && json) throw new UsageError('--json needs no --format');
  if (explain && format && format !== 'json') {
    throw new UsageError(`--explain is for tables and JSON, not for --format ${format}`);
  }
}

async function writeResult(
  path: string,
  format: 'json' | ExportFormat,
  result: ScreenResult,
): Promise<WrittenRows> {
  if (format === 'json') {
    await writeFile(path, `${JSON.stringify(result.rows())}\n`);
  } else {
    const { writeTables } = await import('../export/table-file.ts');
    await writeTables(path, format, [result.table()]);
  }
  return { symbols: result.rowCount, rows: result.rowCount };
}

function summaryOf({ total, asOf, tookMs, adjusted, notFound, nulls }: ScreenResult) {
  return { total, asOf: asOf ?? null, tookMs, adjusted, notFound, nulls };
}

async function print(
  output: Output,
  result: ScreenResult,
  { format, explain, mode }: ScreenOptions,
): Promise<void> {
  if (format === 'csv') await printCsv(result.table());
  else {
    const rows = result.rows();
    const lines = explain ? explanationLines(rows) : screenLines(rows, result.columns);
    if (format === 'json') process.stdout.write(`${visible(JSON.stringify(rows))}\n`);
    else output.result({ mode, ...summaryOf(result), rows }, lines);
  }
  note(output, result);
}

/** Prints the total and the time on stderr, so that stdout has rows only. */
function note(output: Output, result: ScreenResult): void {
  const { total, rowCount: shown, asOf, tookMs, adjusted, notFound, nulls } = result;
  const part = shown < total ? `, first ${countText(shown)} shown` : '';
  const day = asOf === undefined ? '' : ` as of ${asOf}`;
  output.note(
    `${countText(total)} ${total === 1 ? 'symbol' : 'symbols'}${day}${part}, ${timeText(tookMs)}`,
  );
  if (adjusted.length > 0) {
    output.note(
      `${countText(adjusted.length)} of the shown symbols have prices with later splits or ` +
        `dividends in them: ${firstOf(adjusted)}`,
    );
  }
  if (notFound.length > 0) output.note(`not in the screen: ${firstOf(notFound)}`);
  const sentence = nullSentence(nulls);
  if (sentence) output.note(sentence);
}

const NAMED_MAX = 10;

function firstOf(symbols: readonly string[]): string {
  const named = symbols.slice(0, NAMED_MAX).join(', ');
  return symbols.length > NAMED_MAX ? `${named} and more` : named;
}

export function registerScreen(program: Command): void {
  program
    .command('screen')
    .description('find symbols by an expression over bars, indicators and companies')
    .argument('[where]', 'expression, such as "rsi(14) < 30 and close > sma(200)"')
    .option('--columns <list>', 'further expressions to show, comma-separated')
    .option('--sort <expression>', 'field or expression to sort by (default: market_cap)')
    .addOption(new Option('--order <order>', 'sort order (default: desc)').choices(['asc', 'desc']))
    .option(
      '--limit <count>',
      `rows at most (default: ${ROWS_DEFAULT}; all in a file)`,
      wholeNumberFor('--limit', 1),
    )
    .option('--as-of <date>', 'screen as of the close of a past day, YYYY-MM-DD')
    .option('--from <date>', 'a row for each day from this one on on which it is true')
    .option('--to <date>', 'last day of these rows')
    .option('--begins', 'with --from or --to: only days on which it begins to be true')
    .option(
      '--current-fields',
      'with --from or --to: allow fields that are known as of today alone',
    )
    .option('--explain <symbols>', 'show each condition for these symbols', symbolsFromOption)
    .option('--filter <query>', 'further filters, such as "market_cap_min=1e9&sector=energy"')
    .addOption(modeOption())
    .addOption(
      new Option(
        '--format <format>',
        'json, csv, parquet or an Arrow IPC file instead of a table',
      ).choices(SCREEN_FORMATS),
    )
    .option('--out <path>', 'file to write; without it json and csv go to stdout')
    .option('--force', 'overwrite an existing file')
    .action(screenPublished);
}
