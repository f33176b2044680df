/** Returns true for common shares by their symbol: no preferred share, warrant, unit or right. */
export function isCommonSymbol(symbol: string): boolean {
  return !/\.(PR[A-Z]?|WS|U|RT|WI|CL)(\.|$)/.test(symbol);
}

/** Returns true for a symbol that names a class, as `BRK.B` does. */
export function isClassSymbol(symbol: string): boolean {
  return /\.[A-Z]$/.test(symbol) && isCommonSymbol(symbol);
}

/** Last letters of Nasdaq's symbols of notes, preferred shares, rights, units and warrants. */
const OTHER_LETTERS = /^([A-Z]{4})[GHIMNOPRUW]$/;

/**
 * Selects the common shares of one company. A symbol of five letters that adds such a letter to
 * another one of the company is none: `MSBIP` beside `MSBI`, but not `GOOGL`.
 */
export function commonSymbols(symbols: readonly string[]): string[] {
  return symbols.filter((symbol) => {
    const [, root] = OTHER_LETTERS.exec(symbol) ?? [];
    return isCommonSymbol(symbol) && !(root && symbols.includes(root));
  });
}
