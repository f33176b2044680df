/** Patterns for DuckDB's readers, which interpret every path as one, even a bound one. */

/**
 * Returns the pattern that only this path matches: `Q[1].csv` → `Q[[]1].csv`. Without it the rows of
 * `Q1.csv` would be read.
 *
 * A path with a backslash next to such a character matches nothing, and fails when it is read.
 */
export function filePattern(path: string): string {
  return path.replace(/[*?[]/g, '[$&]');
}
