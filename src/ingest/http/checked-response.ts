import type { z } from 'zod';
import { MalformedInputError } from '../../base/errors.ts';

/** @throws {MalformedInputError} it is not JSON, or not of the schema; names the first field. */
export function checkedResponse<T>(text: string, schema: z.ZodType<T>, title: string): T {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (cause) {
    throw malformed(title, 'it is not JSON', cause);
  }
  const parsed = schema.safeParse(json);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const field = issue.path.length > 0 ? issue.path.map(String).join('.') : 'the whole';
  throw malformed(title, `${field}: ${issue.message}`, parsed.error);
}

export function malformed(title: string, what: string, cause?: unknown): MalformedInputError {
  return new MalformedInputError(`the answer of ${title} cannot be read: ${what}`, { cause });
}
