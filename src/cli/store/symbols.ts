/** `symbols …`: states facts about tickers, and shows what is known of them. */

import type { Command } from 'commander';
import { UsageError } from '../../base/errors.ts';
import { canonicalSymbol } from '../../base/symbols.ts';
import { newYorkDay } from '../../base/time/calendar.ts';
import { dateFromDay } from '../../base/time/dates.ts';
import { wallMs } from '../../base/world/clock.ts';
import type { MarketDb } from '../../store/duckdb/connection/open.ts';
import type { SecurityChange } from '../../store/duckdb/securities/change-securities.ts';
import type { NamedFact } from '../../store/duckdb/securities/named-facts.ts';
import type { SecurityTickers } from '../../store/duckdb/securities/read-security.ts';
import { dayFor, type ModeOptions, modeOption, openVerb } from '../options.ts';
import { tableLines } from '../output.ts';
import { withProgress } from '../progress.ts';
import { loadFactFiles } from './fact-files.ts';
import { dateOrNull, showHistory } from './symbol-history.ts';

interface FactOptions extends ModeOptions {
  /** Day number. */
  on?: number;
  from?: number;
  to?: number;
  /** Symbol, or `new`. */
  security?: string;
  reason?: string;
  into?: string;
  parent?: string;
  undo?: true;
}

/** Reads the day of `--on`, which must not be in the future: symbols are those of today. */
function dayFromOption(text: string): number {
  const day = dayFor('--on')(text);
  const today = newYorkDay(wallMs());
  if (day <= today) return day;
  throw new UsageError(`--on must not be after today, ${dateFromDay(today)}: say so on that day`);
}

async function renameSymbol(oldText: string, newText: string, options: FactOptions) {
  const [ticker, other] = [canonicalSymbol(oldText), canonicalSymbol(newText)];
  if (ticker === other) throw new UsageError(`${ticker} is already the symbol: give another one`);
  await state('rename', { kind: 'rename', ticker, day: options.on, other }, options);
}

async function delistSymbol(text: string, options: FactOptions) {
  const ticker = canonicalSymbol(text);
  const { on: day, reason, into } = options;
  const other = into === undefined ? null : canonicalSymbol(into);
  if (other === ticker) throw new UsageError(`--into must be another symbol than ${ticker}`);
  await state('delist', { kind: 'delist', ticker, day, other, reason }, options);
}

async function partSymbol(text: string, options: FactOptions) {
  await state('part', { kind: 'part', ticker: canonicalSymbol(text), day: options.on }, options);
}

async function stateSpinOff(text: string, options: FactOptions) {
  const [ticker, other] = [canonicalSymbol(text), canonicalSymbol(options.parent!)];
  if (other === ticker) throw new UsageError(`--parent must be another symbol than ${ticker}`);
  await state('spinoff', { kind: 'spinoff', ticker, day: options.on, other }, options);
}

async function joinSymbols(text: string, otherText: string, options: FactOptions) {
  const [ticker, other] = [canonicalSymbol(text), canonicalSymbol(otherText)];
  if (ticker === other) throw new UsageError(`${ticker} is one security already`);
  await state('join', { kind: 'join', ticker, other }, options);
}

async function assignDays(text: string, options: FactOptions) {
  const { from: day, to: endDay, security } = options;
  if (day !== undefined && endDay !== undefined && day > endDay) {
    const dates = [day, endDay].map(dateFromDay);
    throw new UsageError(`--from must not be after --to, got ${dates.join(' and ')}`);
  }
  const other = security === 'new' ? null : canonicalSymbol(security!);
  await state(
    'assign',
    { kind: 'assign', ticker: canonicalSymbol(text), day, endDay, other },
    options,
  );
}

async function state(verb: string, fact: NamedFact, options: FactOptions): Promise<void> {
  const { stateFact } = await import('../../store/duckdb/securities/change-securities.ts');
  await runChange(`symbols ${verb}`, options, (market) =>
    stateFact(market, { fact, isUndone: options.undo, nowMs: wallMs() }),
  );
}

async function relistSymbol(text: string, options: ModeOptions) {
  const symbol = canonicalSymbol(text);
  const { relistSecurity } = await import('../../store/duckdb/securities/change-securities.ts');
  await runChange('symbols relist', options, (market) =>
    relistSecurity(market, { symbol, nowMs: wallMs() }),
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
    changeSymbol(paths, change, { verb, nowMs: wallMs(), ...shown }),
  );
  const { mode } = options;
  const { changed, securityId, symbol, warnings, publishedVersion } = done;
  const remarks = changed
    ? warnings.map((text) => `warning: after ${verb}, ${text}`)
    : ['Nothing had to change.'];
  if (securityId === null)
    remarks.push(`Nothing is loaded of ${symbol}; it will be placed by this.`);
  const lines = securityId === null ? [] : securityLines(done);
  output.result({ mode, changed, ...securityDocument(done), warnings, publishedVersion }, [
    ...lines,
    ...remarks,
  ]);
}

async function showSymbol(text: string, options: ModeOptions) {
  const { output, paths } = openVerb(options);
  const { showSymbol } = await import('../../../jobs/inspect/symbols.ts');
  const security = await showSymbol(paths, canonicalSymbol(text), output.onWaiting);
  const document = { mode: options.mode, ...securityDocument(security) };
  output.result(document, securityLines(security));
}

function securityDocument(security: SecurityTickers) {
  const { securityId, symbol, tickers, delistedDay, delistedReason, lastClose } = security;
  return {
    securityId,
    symbol,
    delistedOn: dateOrNull(delistedDay),
    delistedReason,
    lastClose,
    tickers: tickers.map(({ ticker, fromDay, toDay }) => {
      return { ticker, from: dateOrNull(fromDay), to: dateOrNull(toDay) };
    }),
  };
}

function securityLines(security: SecurityTickers): string[] {
  const { symbol, tickers, delistedOn, delistedReason, lastClose } = securityDocument(security);
  const rows = tickers.map(({ ticker, from, to }) => [ticker, from ?? 'always', to ?? 'now']);
  const ended = [
    `, delisted; its last trading day was ${delistedOn}`,
    lastClose === null ? '' : `, its last close ${lastClose}`,
    delistedReason === null ? '' : ` (${delistedReason})`,
  ].join('');
  const state = delistedOn === null ? '' : ended;
  return [`${symbol}${state}`, ...tableLines([['ticker', 'from', 'to'], ...rows])];
}

const UNDO = ['--undo', 'take the same statement back'] as const;

export function registerSymbols(program: Command): void {
  const symbols = program.command('symbols').description('say which security a ticker means when');
  symbols
    .command('rename')
    .description('change the ticker of a security and keep its history')
    .argument('<old>', 'ticker until then, in any spelling')
    .argument('<new>', 'new ticker')
    .requiredOption('--on <date>', 'first day under the new ticker, YYYY-MM-DD', dayFromOption)
    .option(...UNDO)
    .addOption(modeOption())
    .action(renameSymbol);
  symbols
    .command('delist')
    .description('mark a security as delisted and keep its history')
    .argument('<symbol>', 'ticker, in any spelling')
    .requiredOption('--on <date>', 'last trading day, YYYY-MM-DD', dayFromOption)
    .option('--reason <text>', 'why, in words')
    .option('--into <symbol>', 'security that took it over')
    .option(...UNDO)
    .addOption(modeOption())
    .action(delistSymbol);
  symbols
    .command('relist')
    .description('undo a delisting')
    .argument('<symbol>', 'current symbol, in any spelling')
    .addOption(modeOption())
    .action(relistSymbol);
  symbols
    .command('part')
    .description('say that a ticker means another security from a day on')
    .argument('<ticker>', 'ticker, in any spelling')
    .requiredOption('--on <date>', 'first day of the other security, YYYY-MM-DD', dayFromOption)
    .option(...UNDO)
    .addOption(modeOption())
    .action(partSymbol);
  symbols
    .command('join')
    .description('say that two symbols are one security')
    .argument('<symbol>', 'symbol, in any spelling')
    .argument('<other>', 'symbol, in any spelling')
    .option(...UNDO)
    .addOption(modeOption())
    .action(joinSymbols);
  symbols
    .command('assign')
    .description('give days of a ticker to a security')
    .argument('<ticker>', 'ticker, in any spelling')
    .requiredOption('--security <symbol>', 'symbol of the security, or new')
    .option('--from <date>', 'first day, YYYY-MM-DD; default: all before --to', dayFor('--from'))
    .option('--to <date>', 'last day, YYYY-MM-DD; default: all from --from on', dayFor('--to'))
    .option(...UNDO)
    .addOption(modeOption())
    .action(assignDays);
  symbols
    .command('spinoff')
    .description('say which security a new one was a part of')
    .argument('<ticker>', 'ticker of the new one, in any spelling')
    .requiredOption('--parent <symbol>', 'security that it was a part of')
    .requiredOption('--on <date>', 'first trading day of the new one, YYYY-MM-DD', dayFromOption)
    .option(...UNDO)
    .addOption(modeOption())
    .action(stateSpinOff);
  symbols
    .command('load')
    .description('state the facts of files: a table of facts, or map files of LEAN')
    .argument('<files...>', 'CSV files, or folders of them')
    .addOption(modeOption())
    .action(loadFactFiles);
  symbols
    .command('show')
    .description('show the security behind a ticker and all tickers it has had')
    .argument('<symbol>', 'current or former ticker, in any spelling')
    .addOption(modeOption())
    .action(showSymbol);
  symbols
    .command('history')
    .description('show what each day of a ticker means, and who said so')
    .argument('<symbol>', 'current or former ticker, in any spelling')
    .addOption(modeOption())
    .action(showHistory);
}
