import type { SourceOptions } from './options-schema.ts';

export type { FiscalYearEnd, NamedSecurity, SourceOptions } from './options-schema.ts';

/** Returns the time of the content in microseconds, if the user states it. */
export function statedAsOf({ asOfUs }: SourceOptions): bigint | undefined {
  return asOfUs === undefined ? undefined : BigInt(asOfUs);
}

/** Returns true unless `--symbol` or `--symbols` asks for others only. */
export function isAsked(symbol: string, options: SourceOptions): boolean {
  if (options.symbol !== undefined) return options.symbol === symbol;
  return options.symbols === undefined || options.symbols.includes(symbol);
}
