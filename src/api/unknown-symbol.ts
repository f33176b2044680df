import type { Mode } from '../data-dir.ts';
import { HttpError } from '../errors.ts';

/** The 404 of a symbol that the mode's published data does not have. */
export function unknownSymbol(symbol: string, mode: Mode): HttpError {
  return new HttpError(404, `Unknown symbol "${symbol}" in ${mode} data`);
}
