/** Stored columns that responses leave out, at the end of a row's text. */

import type { ListRow } from './specs.ts';

/** Never inside of a text, where a quote follows a backslash. */
const MARK = ',"stored":';

type Texts = Pick<ListRow, 'json' | 'stored'>;

/** Returns the text of a row as its file has it. */
export function textOfRow({ json, stored }: Texts): string {
  return stored === undefined ? json : `${json.slice(0, -1)}${MARK}${stored}}`;
}

export function rowOfText(text: string): Texts {
  const at = text.indexOf(MARK);
  if (at < 0) return { json: text };
  return { json: `${text.slice(0, at)}}`, stored: text.slice(at + MARK.length, -1) };
}
