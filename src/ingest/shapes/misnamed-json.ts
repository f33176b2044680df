/** JSON in a file whose name says CSV: mostly an error that was saved as if it were bars. */

import { MalformedInputError } from '../../base/errors.ts';
import { errorOfBody } from './body-errors.ts';
import type { TableShape } from './shape.ts';

const IS_JSON = /^\s*(?:\{\s*["}]|\[\s*[{[])/;

export const misnamedJson: TableShape = {
  words: 'JSON',
  recognise({ head }) {
    if (!IS_JSON.test(head)) return undefined;
    const error = errorOf(head);
    throw new MalformedInputError(
      error === undefined
        ? 'it is JSON: give it a name that ends in .json'
        : `it holds an error, no bars: ${error}`,
    );
  },
};

/** Errors are short: a text that the head cuts holds something else. */
function errorOf(head: string): string | undefined {
  try {
    return errorOfBody(JSON.parse(head));
  } catch {
    return undefined;
  }
}
