/** Test issues: the securities with which exchanges and vendors test their feeds. */

/** Roots that are kept for tests: `ATEST`, `ZVZZT`, and the others of Nasdaq Trader's files. */
const ROOTS = /^(?:[A-Z]TEST|Z[A-Z]ZZ[CT]|ZBZX|ZEXIT|ZIEXT|ZTST|ZXIET|ZXYZ)$/;

/** Returns true if a canonical symbol is a test issue by its root. */
export function isTestIssue(symbol: string): boolean {
  return ROOTS.test(symbol.split('.', 1)[0]);
}
