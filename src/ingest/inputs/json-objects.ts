/** Writes the objects of a JSON text, in arrays or one after another, as lines of bytes. */

const QUOTE = 34;
const COMMA = 44;
const BACKSLASH = 92;
const [OPEN_BRACKET, CLOSE_BRACKET] = [91, 93];
const [OPEN_BRACE, CLOSE_BRACE] = [123, 125];
const SPACE = 32;
const NEWLINE = 10;

/**
 * Splits a text into its outermost objects. They may stand in one array of bars, or in one array
 * for each message of a stream. Text between objects that is not JSON punctuation becomes a line
 * too, so that it can be refused. Nothing is parsed.
 */
export function createObjectLines(): { add(chunk: Buffer): Buffer; end(): Buffer } {
  let depth = 0;
  let isInText = false;
  let isEscaped = false;
  let isLineOpen = false;

  /** Writes to `out` from `at` and returns the end. */
  const addByte = (byte: number, out: Buffer, at: number): number => {
    if (isInText) {
      if (isEscaped) isEscaped = false;
      else if (byte === BACKSLASH) isEscaped = true;
      else if (byte === QUOTE) isInText = false;
    } else {
      // Skip blanks and line ends between tokens.
      if (byte <= SPACE) return at;
      const isBetween = byte === COMMA || byte === OPEN_BRACKET || byte === CLOSE_BRACKET;
      if (depth === 0 && (isBetween || byte === OPEN_BRACE) && isLineOpen) {
        out[at++] = NEWLINE;
        isLineOpen = false;
      }
      if (depth === 0 && isBetween) return at;
      if (byte === QUOTE) isInText = true;
      else if (byte === OPEN_BRACE) depth++;
      else if (byte === CLOSE_BRACE && depth > 0) depth--;
    }
    out[at++] = byte;
    isLineOpen = true;
    if (byte === CLOSE_BRACE && depth === 0 && !isInText) {
      out[at++] = NEWLINE;
      isLineOpen = false;
    }
    return at;
  };

  return {
    add(chunk) {
      // Each byte adds one line end at most.
      const out = Buffer.allocUnsafe(chunk.length * 2);
      let length = 0;
      for (const byte of chunk) length = addByte(byte, out, length);
      return out.subarray(0, length);
    },
    end: () => Buffer.from(isLineOpen ? '\n' : ''),
  };
}
