/** Errors of another thread, as messages carry them. */

import {
  AccountsUnreachableError,
  CorruptDataError,
  HttpError,
  ParameterError,
  TapeworksError,
} from '../../base/errors.ts';
import { ExpressionError } from '../../screens/language/expression-error.ts';

export type SentError =
  | {
      kind: 'parameter';
      message: string;
      field: string;
      details: Readonly<Record<string, unknown>>;
    }
  | { kind: 'http'; message: string; status: number; headers: readonly string[] }
  | { kind: 'damage'; message: string }
  /** A bug; the message is a stack. */
  | { kind: 'other'; message: string };

/** Returns the fields that let an editor underline the place of an error. */
function detailsOf(error: ParameterError): Readonly<Record<string, unknown>> {
  if (!(error instanceof ExpressionError)) return error.details;
  const { field, position, expected, nearest } = error;
  return { expression: { field, position, expected, nearest } };
}

export function sentError(error: unknown): SentError {
  const { message, stack } = error as Error;
  if (error instanceof ParameterError) {
    return { kind: 'parameter', message, field: error.field, details: detailsOf(error) };
  }
  if (error instanceof HttpError) {
    return { kind: 'http', message, status: error.status, headers: error.headers };
  }
  if (error instanceof AccountsUnreachableError) {
    return { kind: 'http', message, status: 503, headers: [] };
  }
  if (error instanceof CorruptDataError) return { kind: 'damage', message };
  return { kind: 'other', message: stack ?? message };
}

export function errorFromSent(sent: SentError): Error {
  switch (sent.kind) {
    case 'parameter':
      return new ParameterError(sent.field, sent.message, { details: sent.details });
    case 'http':
      return new HttpError(sent.status, sent.message, sent.headers);
    case 'damage':
      return new CorruptDataError(sent.message);
    case 'other':
      return new TapeworksError(`A thread of the server failed: ${sent.message}`);
  }
}
