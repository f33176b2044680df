/** Options that several verbs share. */

import { Option } from 'commander';
import { settingsFromEnv } from '../base/config/config.ts';
import { MODES, type Mode, workPaths } from '../base/config/data-dir.ts';
import { UsageError } from '../base/errors.ts';
import { canonicalSymbol } from '../base/symbols.ts';
import { dateFromDay, dayFromDate, microsFromDay } from '../base/time/dates.ts';
import { existsSync } from '../base/world/files.ts';
import { process } from '../base/world/process.ts';
import { createOutput } from './output.ts';

/** Options of a verb that works on one mode. */
export interface ModeOptions {
  mode: Mode;
  json?: boolean;
}

export function modeOption(description = 'live or sandbox'): Option {
  return new Option('--mode <mode>', description).choices(MODES).default('live');
}

/** Returns what most verbs begin with: settings, output, and the paths of the mode. */
export function openVerb({ mode, json }: ModeOptions) {
  const settings = settingsFromEnv(process.env);
  return { settings, output: createOutput(json), paths: workPaths(settings, mode) };
}

/** Returns the address that `start` listens on by default with these settings. */
export function apiAddress({ host, port }: { host: string; port: number }): string {
  const name = ['0.0.0.0', '::'].includes(host) ? '127.0.0.1' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${port}`;
}

/** Says where the API listens; one on all addresses is reached by anyone who reaches the machine. */
export function listeningLine(address: string, { host }: { host: string }): string {
  const isOpen = ['0.0.0.0', '::'].includes(host);
  const others = isOpen ? `, on all addresses of this machine (TAPEWORKS_HOST=${host})` : '';
  return `Tapeworks listens on ${address}${others}`;
}

/** Reads a list of symbols, each once, in canonical spelling. */
export function symbolsFromOption(text: string): string[] {
  return [...new Set(text.split(',').map((part) => canonicalSymbol(part.trim())))];
}

/** Stands for all held symbols where the option has no value of its own. */
const ALL_HELD = '*';

export function acceptFromOption(text: string): true | string[] {
  return text === ALL_HELD ? true : symbolsFromOption(text);
}

const SYMBOL_LIST = /^(?:[A-Z0-9.$-]+|[\w.$-]*,[\w.,$-]*)$/;

/**
 * Keeps `--accept` from taking the argument behind it for its symbols: a path, a dataset or the id
 * of a job. Symbols are in upper case or have a comma.
 */
export function withPlainAccept(args: readonly string[]): string[] {
  return args.map((arg, i) => {
    if (arg !== '--accept') return arg;
    const next = args[i + 1];
    const isList = next !== undefined && SYMBOL_LIST.test(next) && !existsSync(next);
    return isList && !next.startsWith('-') ? arg : `${arg}=${ALL_HELD}`;
  });
}

/** Returns a reader of days for an option. */
export function dayFor(flag: string): (text: string) => number {
  return (text) => dayFromDate(text, flag);
}

/** @throws {UsageError} the days of `--from` and `--to` are in the wrong order. */
export function requireOrder(fromDay: number | undefined, toDay: number | undefined): void {
  if (fromDay === undefined || toDay === undefined || fromDay <= toDay) return;
  const [from, to] = [dateFromDay(fromDay), dateFromDay(toDay)];
  throw new UsageError(`--from must not be after --to "${to}", got "${from}"`);
}

/** Returns the moments from the start of a day to the end of another; none of a day that is not given. */
export function windowOfDays(fromDay: number | undefined, toDay: number | undefined) {
  requireOrder(fromDay, toDay);
  const startUs = (day: number) => BigInt(microsFromDay(day));
  return {
    fromUs: fromDay === undefined ? undefined : startUs(fromDay),
    toUs: toDay === undefined ? undefined : startUs(toDay + 1) - 1n,
  };
}

/** Returns a reader of whole numbers for an option. */
export function wholeNumberFor(flag: string, min: number, max = Number.MAX_SAFE_INTEGER) {
  const rule = max === Number.MAX_SAFE_INTEGER ? `${min} up` : `${min} to ${max}`;
  return (text: string): number => {
    const number = Number(text);
    if (/^\d+$/.test(text) && number >= min && number <= max) return number;
    throw new UsageError(`${flag} must be a whole number from ${rule}, got "${text}"`);
  };
}
