/** Header that names requested symbols without a row. */

export function notFoundHeader(symbols: readonly string[]): string[] {
  return symbols.length > 0 ? ['X-SVC-Not-Found', symbols.join(',')] : [];
}
