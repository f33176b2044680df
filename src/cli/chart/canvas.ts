/** Cells of a part of the screen, each with a character and a colour. */

export type Colour = 'up' | 'down' | 'dim' | number;

/** SGR codes: green and red of bars, grey of axes. */
const CODES = { up: '32', down: '31', dim: '90' };

/** SGR codes of lines, by number. */
const LINE_CODES = ['36', '33', '35', '34', '96', '93'];

const ESCAPE = '\x1b[';

interface Cell {
  text: string;
  colour: Colour | undefined;
}

const BLANK: Cell = { text: ' ', colour: undefined };

/** Returns a text in a colour, or as it is where the screen has none. */
export function coloured(text: string, colour: Colour | undefined, hasColour: boolean): string {
  if (!hasColour || colour === undefined || text.trim() === '') return text;
  const code = typeof colour === 'number' ? LINE_CODES[colour % LINE_CODES.length] : CODES[colour];
  return `${ESCAPE}${code}m${text}${ESCAPE}0m`;
}

export class Canvas {
  readonly height: number;
  readonly #rows: Cell[][];

  constructor(width: number, height: number) {
    this.height = height;
    this.#rows = Array.from({ length: height }, () => Array<Cell>(width).fill(BLANK));
  }

  /** @param row From the top. */
  put(column: number, row: number, text: string, colour?: Colour): void {
    this.#rows[row][column] = { text, colour };
  }

  isBlank(column: number, row: number): boolean {
    return this.#rows[row][column] === BLANK;
  }

  /** Returns the rows as text, without blanks at their ends. */
  lines(hasColour: boolean): string[] {
    return this.#rows.map((row) => {
      let line = '';
      for (let start = 0; start < row.length; ) {
        const { colour } = row[start];
        let end = start;
        while (end < row.length && row[end].colour === colour) end++;
        const text = row.slice(start, end).map((cell) => cell.text);
        line += coloured(text.join(''), colour, hasColour);
        start = end;
      }
      return line;
    });
  }
}
