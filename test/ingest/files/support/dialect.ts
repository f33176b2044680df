/** One dialect of docs/files.md, by a small file in it and the bars that it holds. */

export interface Dialect {
  /** Name of the file, which may name the symbol. */
  file: string;
  content: string;
  /** Makes the bytes of a file that is no text. */
  pack?: (content: string, rename: (text: string) => string) => Buffer | Promise<Buffer>;
  /** `AAA 2024-01-02 open high low close volume`, in the order of symbols and times. */
  bars: readonly string[];
  /** Basis of the bars; `raw` if it is not said. */
  basis?: 'raw' | 'split' | 'all';
}

export interface DialectFile {
  name: string;
  content: string | Buffer;
  /** The bars, each after its basis. */
  bars: string[];
}

/** The file of a dialect, in which `AAA` and `BBB` have other names. */
export async function fileOf(
  { file, content, pack, bars, basis = 'raw' }: Dialect,
  rename: (text: string) => string = (text) => text,
): Promise<DialectFile> {
  const text = rename(content);
  return {
    name: rename(file),
    content: pack === undefined ? text : await pack(text, rename),
    bars: bars.map((bar) => `${basis} ${rename(bar)}`),
  };
}

/** A name of its own for the symbols of a dialect: `QAB` and `XAB` of the second one. */
export function renamer(index: number): (text: string) => string {
  const letters = String.fromCharCode(65 + Math.floor(index / 26), 65 + (index % 26));
  const names = { AAA: `Q${letters}`, BBB: `X${letters}`, aaa: `q${letters.toLowerCase()}` };
  return (text) => text.replace(/AAA|BBB|aaa/g, (name) => names[name as keyof typeof names]);
}
