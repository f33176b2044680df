/** `study <where>`: what followed a condition, over all days of the published data. */

import { type Command, InvalidArgumentError, Option } from 'commander';
import { MODES, type Mode } from '../../base/config/data-dir.ts';
import { countText, manyText } from '../../base/count-text.ts';
import { UsageError } from '../../base/errors.ts';
import { process } from '../../base/world/process.ts';
import { exportFile, openForReading } from '../export/file.ts';
import { type ExportFormat, FORMATS } from '../export/formats.ts';
import { pathFromOption } from '../export/out-path.ts';
import { openVerb } from '../options.ts';
import { type Output, tableLines } from '../output.ts';
import type { studyVersion } from './run.ts';

/** Words of `--mode` that are a parameter of the study; the others name the data that it reads. */
const STUDY_MODES = ['begins', 'matches'];

/** Options with the names and texts of the parameters of `/svc/study`. */
const PARAMETERS = ['factor', 'entry', 'horizons', 'from', 'to', 'universe', 'by', 'rows'] as const;

interface StudyOptions extends Partial<Record<(typeof PARAMETERS)[number], string>> {
  mode: string[];
  /** Id of a saved screen, and the account that it is of. */
  screen?: string;
  account: string;
  param: string[];
  currentFields?: boolean;
  format?: ExportFormat;
  out?: string;
  force?: boolean;
  json?: boolean;
}

async function study(where: string | undefined, options: StudyOptions): Promise<void> {
  const mode = (options.mode.findLast((word) => !STUDY_MODES.includes(word)) ?? 'live') as Mode;
  const { settings, output } = openVerb({ mode, ...(options.json && { json: true }) });
  const { out, format } = options;
  const path = out === undefined ? undefined : pathFromOption(out, options.force === true);
  if (path === undefined && format !== undefined && format !== 'csv') {
    throw new UsageError(`--format ${format} needs --out`);
  }
  const [{ studyVersion }, { markingErrors }] = await Promise.all([
    import('./run.ts'),
    import('../screen/marked-error.ts'),
  ]);
  const query = await withSavedScreen(queryOf(where, options), options, mode);
  if (path === undefined) {
    using version = openForReading(settings.dataDir, mode);
    const answer = markingErrors({ where, sort: options.factor }, () =>
      studyVersion(version, query),
    );
    await print(output, answer, format);
    return;
  }
  const { writeTables } = await import('../export/table-file.ts');
  const file = await exportFile(settings.dataDir, mode, path, async (partial, version) => {
    const { table, definition } = markingErrors({ where, sort: options.factor }, () =>
      studyVersion(version, query),
    );
    await writeTables(partial, format ?? 'csv', [table]);
    return { symbols: definition.symbols, rows: table[0].values.length };
  });
  output.result({ path, format: format ?? 'csv', ...file }, []);
}

/** Puts the condition of a saved screen into the query. */
async function withSavedScreen(
  query: string,
  { screen, account }: StudyOptions,
  mode: Mode,
): Promise<string> {
  if (screen === undefined) return query;
  const [{ withSavedWhere }, { withAccounts }] = await Promise.all([
    import('../../api/routes/study/saved-where.ts'),
    import('../accounts/accounts-store.ts'),
  ]);
  const parameters = new URLSearchParams(query);
  parameters.set('screen', screen);
  return withAccounts((accounts) =>
    withSavedWhere(parameters.toString(), { account, mode }, accounts),
  );
}

function queryOf(where: string | undefined, options: StudyOptions): string {
  const query = new URLSearchParams(where === undefined ? {} : { where });
  for (const name of PARAMETERS) {
    const text = options[name];
    if (text !== undefined) query.set(name, text);
  }
  const mode = options.mode.findLast((word) => STUDY_MODES.includes(word));
  if (mode !== undefined) query.set('mode', mode);
  if (options.currentFields) query.set('current_fields', 'true');
  // Rows of a summary are few in any format. A file of a factor has its months.
  const rows = options.rows ?? (options.factor === undefined ? 'summary' : 'deciles');
  const isSummary = rows === 'summary';
  if (!isSummary && (options.out ?? options.format) !== undefined) {
    query.set('format', options.format ?? 'csv');
  }
  for (const text of options.param) {
    const [name, ...values] = text.split('=');
    query.set(name.startsWith('$') ? name : `$${name}`, values.join('='));
  }
  return query.toString();
}

async function print(
  output: Output,
  { table, data, definition, warnings }: ReturnType<typeof studyVersion>,
  format: ExportFormat | undefined,
): Promise<void> {
  if (format === 'csv') {
    const { csvFromTable } = await import('../../api/responses/table-response.ts');
    process.stdout.write(csvFromTable(table));
  } else output.result({ data, definition, warnings }, studyLines(data));
  const { from, to, symbols, sessions } = definition;
  const days = from === null ? '' : `, ${from} to ${to}`;
  output.note(`${manyText(symbols, 'symbol')}, ${countText(sessions)} sessions${days}`);
  for (const warning of warnings) output.note(warning);
}

type Rows = ReturnType<typeof studyVersion>['data'];

/** Columns that a table for people leaves out of the rows of a summary. */
const HIDDEN = new Set([
  'entered',
  'early',
  'open',
  'sd',
  'p25',
  'p75',
  'excessMedian',
  'extreme',
  'flagged',
]);

const PERCENTS = /^(mean|median|hit|p05|p95|universe|excess|return_|turnover|spread)/;

/** Returns a table for people: returns in percent with two decimals. `--json` has all digits. */
export function studyLines(rows: Rows): string[] {
  const names = Object.keys(rows[0] ?? {}).filter((name) => !HIDDEN.has(name));
  const cells = rows.map((row) => names.map((name) => cellText(name, row[name])));
  const numeric = names
    .keys()
    .filter((place) => rows.some((row) => typeof row[names[place]] === 'number'));
  return tableLines([names, ...cells], [], [...numeric]);
}

function cellText(name: string, value: Rows[number][string]): string {
  if (value === null || value === undefined) return '-';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'string' || Number.isInteger(value)) return String(value);
  if (name === 'ic') return value.toFixed(3);
  return PERCENTS.test(name) ? `${(value * 100).toFixed(2)}%` : value.toFixed(2);
}

function collected(choices: readonly string[] | undefined) {
  return (word: string, before: string[]): string[] => {
    if (choices && !choices.includes(word)) {
      throw new InvalidArgumentError(`Allowed choices are ${choices.join(', ')}.`);
    }
    return [...before, word];
  };
}

export function registerStudy(program: Command): void {
  const modes = [...STUDY_MODES, ...MODES];
  program
    .command('study')
    .description('returns after the days on which a condition was true, over all days')
    .argument('[where]', 'expression, such as "rsi(14) < 30 and close > sma(200)"')
    .option(
      '--mode <word>',
      'begins (default) or matches; live (default) or sandbox data; may be repeated',
      collected(modes),
      [],
    )
    .option('--screen <id>', 'saved screen whose condition stands in place of an expression')
    .option('--account <account>', 'account of the saved screen', 'default')
    .option('--factor <expression>', 'number whose tenths are compared, in place of an expression')
    .option('--entry <entry>', 'next_open (default) or next_close')
    .option('--horizons <list>', 'sessions until the exit (default: 1,5,20,60)')
    .option('--from <date>', 'first day of signals, YYYY-MM-DD')
    .option('--to <date>', 'last day of signals')
    .option(
      '--universe <expression>',
      'condition as of each day, such as "avg(close * volume, 20) > 1e6"',
    )
    .option('--by <group>', 'year (default), month, none or a field, for --rows groups')
    .option(
      '--rows <rows>',
      'summary (default), groups, days or events; deciles of a factor by month',
    )
    .option(
      '--param <name=values>',
      'values of $name: n=2..20:2 or n=5,10',
      collected(undefined),
      [],
    )
    .option('--current-fields', 'allow fields that are known as of today alone, such as sector')
    .addOption(
      new Option('--format <format>', 'csv, parquet or an Arrow IPC file').choices(FORMATS),
    )
    .option('--out <path>', 'file to write; without it csv goes to stdout')
    .option('--force', 'overwrite an existing file')
    .action(study);
}
