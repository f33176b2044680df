/** Rows of a column of dictionary codes, grouped by code. */

export interface CodeGroups {
  /** Group of code c: `rows` from `starts[c]` up to `starts[c + 1]`. */
  starts: Int32Array;
  rows: Int32Array;
}

export function codeGroups(column: Uint16Array): CodeGroups {
  const codeCount = column.reduce((most, code) => Math.max(most, code + 1), 0);
  const starts = new Int32Array(codeCount + 1);
  for (let row = 0; row < column.length; row++) starts[column[row] + 1]++;
  for (let code = 0; code < codeCount; code++) starts[code + 1] += starts[code];
  const next = starts.slice();
  const rows = new Int32Array(column.length);
  for (let row = 0; row < column.length; row++) rows[next[column[row]]++] = row;
  return { starts, rows };
}
