/** `symbols …`: changes the ticker of a security, and shows its history. */

import type { Command } from 'commander';
import { UsageError } from '../../base/errors.ts';
import { canonicalSymbol } from '../../base/symbols.ts';
import { newYorkDay } from '../../base/time/calendar.ts';
import { dateFromDay } from '../../base/time/dates.ts';
import type { MarketDb } from '../../store/duckdb/connection/open.ts';
import type { SecurityChange } from '../../store/duckdb/securities/change-securities.ts';
import type { SecurityTickers } from '../../store/duckdb/securities/read-security.ts';
import { dayFor, type ModeOptions, modeOption, openVerb } from '../options.ts';
import { tableLines } from '../output.ts';
import { withProgress } from '../progress.ts';

interface ChangeOptions extends ModeOptions {
  /** Day number. */
  on: number;
}

/** Reads the day of `--on`, which must not be in the future: symbols are those of today. */
function dayFromOption(text: string): number {
  const day = dayFor('--on')(text);
  const today = newYorkDay(Date.now());
  if (day <= today) return day;
  throw new UsageError(`--on must not be after today, ${dateFromDay(today)}: say so on that day`);
}

async function renameSymbol(oldText: string, newText: string, options: ChangeOptions) {
  const [from, to] = [canonicalSymbol(oldText), canonicalSymbol(newText)];
  if (from === to) throw new UsageError(`${from} is already the symbol: give another one`);
  if (/\.\d{6}$/.test(to)) throw new UsageError(`the new symbol must be a ticker, got "${to}"`);
  const { renameSecurity } = await import('../../store/duckdb/securities/change-securities.ts');
  await runChange('symbols rename', options, (market) =>
    renameSecurity(market, { from, to, day: options.on, nowMs: Date.now() }),
  );
}

async function delistSymbol(text: string, options: ChangeOptions) {
  const symbol = canonicalSymbol(text);
  const { delistSecurity } = await import('../../store/duckdb/securities/change-securities.ts');
  await runChange('symbols delist', options, (market) =>
    delistSecurity(market, { symbol, day: options.on, nowMs: Date.now() }),
  );
}

async function relistSymbol(text: string, options: ModeOptions) {
  const symbol = canonicalSymbol(text);
  const { relistSecurity } = await import('../../store/duckdb/securities/change-securities.ts');
  await runChange('symbols relist', options, (market) =>
    relistSecurity(market, { symbol, nowMs: Date.now() }),
  );
}

async function runChange(
  verb: string,
  options: ModeOptions,
  change: (market: MarketDb) => Promise<SecurityChange>,
): Promise<void> {
  const { output, paths } = openVerb(options);
  const { changeSymbol } = await import('../../../jobs/inspect/symbols.ts');
  const done = await withProgress(output, (shown) =>
    changeSymbol(paths, change, { verb, nowMs: Date.now(), ...shown }),
  );
  const { mode } = options;
  const { changed, publishedVersion } = done;
  const remark = changed ? [] : ['Nothing had to change.'];
  output.result({ mode, changed, ...securityDocument(done), publishedVersion }, [
    ...securityLines(done),
    ...remark,
  ]);
}

async function showSymbol(text: string, options: ModeOptions) {
  const { output, paths } = openVerb(options);
  const { showSymbol } = await import('../../../jobs/inspect/symbols.ts');
  const security = await showSymbol(paths, canonicalSymbol(text), output.onWaiting);
  const document = { mode: options.mode, ...securityDocument(security) };
  output.result(document, securityLines(security));
}

function dateOrNull(day: number | null): string | null {
  return day === null ? null : dateFromDay(day);
}

function securityDocument({ securityId, symbol, tickers, delistedDay }: SecurityTickers) {
  return {
    securityId,
    symbol,
    delistedOn: dateOrNull(delistedDay),
    tickers: tickers.map(({ ticker, fromDay, toDay }) => {
      return { ticker, from: dateOrNull(fromDay), to: dateOrNull(toDay) };
    }),
  };
}

function securityLines(security: SecurityTickers): string[] {
  const { symbol, tickers, delistedOn } = securityDocument(security);
  const rows = tickers.map(({ ticker, from, to }) => [ticker, from ?? 'always', to ?? 'now']);
  const state = delistedOn === null ? '' : `, delisted; its last trading day was ${delistedOn}`;
  return [`${symbol}${state}`, ...tableLines([['ticker', 'from', 'to'], ...rows])];
}

export function registerSymbols(program: Command): void {
  const symbols = program.command('symbols').description('rename, delist and look up securities');
  symbols
    .command('rename')
    .description('change the ticker of a security and keep its history')
    .argument('<old>', 'current ticker, in any spelling')
    .argument('<new>', 'new ticker')
    .requiredOption('--on <date>', 'first day under the new ticker, YYYY-MM-DD', dayFromOption)
    .addOption(modeOption())
    .action(renameSymbol);
  symbols
    .command('delist')
    .description('mark a security as delisted and keep its history')
    .argument('<symbol>', 'ticker, in any spelling')
    .requiredOption('--on <date>', 'last trading day, YYYY-MM-DD', dayFromOption)
    .addOption(modeOption())
    .action(delistSymbol);
  symbols
    .command('relist')
    .description('undo a delisting')
    .argument('<symbol>', 'current symbol, in any spelling')
    .addOption(modeOption())
    .action(relistSymbol);
  symbols
    .command('show')
    .description('show the security behind a ticker and all tickers it has had')
    .argument('<symbol>', 'current or former ticker, in any spelling')
    .addOption(modeOption())
    .action(showSymbol);
}
