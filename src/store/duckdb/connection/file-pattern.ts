/** File names for DuckDB's readers, which take every path for a pattern, even a bound one. */

/**
 * The pattern that only this path matches: `Q[1].csv` → `Q[[]1].csv`. Without it the rows of
 * `Q1.csv` would be read.
 *
 * A path that has a backslash beside such a character matches nothing and fails when it is read.
 */
export function filePattern(path: string): string {
  return path.replace(/[*?[]/g, '[$&]');
}
