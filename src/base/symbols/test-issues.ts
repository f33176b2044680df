/** Test issues: the securities with which exchanges and vendors test their feeds. */

/**
 * Roots that are kept for tests: `ATEST`, `ZVZZT`. Test issues with names like companies' are not
 * among them: IBO was one in 2019, and is Impact BioMedical now.
 */
const ROOTS = /^(?:[A-Z]TEST|Z[A-Z]ZZ[CT]|ZBZX|ZEXIT|ZIEXT|ZTST|ZXIET|ZXYZ)(?=\.|$)/;

/** Returns true if a canonical symbol is a test issue. Lists and screens leave it out. */
export function isTestIssue(symbol: string): boolean {
  return ROOTS.test(symbol);
}
