/** Returns true for common shares by their symbol: no preferred share, warrant, unit or right. */
export function isCommonSymbol(symbol: string): boolean {
  return !/\.(PR[A-Z]?|WS|U|RT|WI|CL)(\.|$)/.test(symbol);
}

/** Returns true for a symbol that names a class, as `BRK.B` does. */
export function isClassSymbol(symbol: string): boolean {
  return /\.[A-Z]$/.test(symbol) && isCommonSymbol(symbol);
}
