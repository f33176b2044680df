/** Request bodies: JSON of bounded size, checked against a schema. */

import { z } from 'zod';
import { HttpError, ParameterError } from '../../base/errors.ts';
import { limits } from '../../base/limits.ts';
import { quoted, shortened } from '../../base/quoted.ts';
import { clearTimeout, setTimeout } from '../../base/world/clock.ts';
import type { RequestContext } from './request-context.ts';

const JSON_TYPE = /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;

/**
 * Reads a body and checks it against a schema.
 *
 * @param schema A strict object; the message of a field says what it must be.
 * @throws {HttpError} 408, 413, 415: too slow, too long or of another type.
 * @throws {ParameterError} The body is no JSON object, or names the first field that breaks a rule.
 */
export async function checkedBody<T>(context: RequestContext, schema: z.ZodType<T>): Promise<T> {
  checkType(context, JSON_TYPE, 'application/json');
  const value = parsedJson(await readBytes(context));
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const { issues } = parsed.error;
  // Report a misspelled name first: it is why the right one is missing.
  const issue = issues.find(({ code }) => code === 'unrecognized_keys') ?? issues[0];
  const place = issue.path.map(String);
  if (issue.code === 'unrecognized_keys') {
    const name = [...place, issue.keys[0]].join('.');
    throw new ParameterError(name, `${quoted(name)} is not a field of this body`);
  }
  if (place.length === 0) throw new ParameterError('body', 'body must be a JSON object');
  const name = place.join('.');
  throw new ParameterError(name, `${name} ${issue.message}, ${gotText(value, issue.path)}`);
}

/** Body of requests without fields. */
export const noFields = z.strictObject({});

/** Reads a body as `checkedBody` does; a missing body means an empty object. */
export async function optionalBody<T>(context: RequestContext, schema: z.ZodType<T>): Promise<T> {
  const { 'content-length': length, 'transfer-encoding': encoding } = context.headers;
  const isMissing = encoding === undefined && Number(length ?? 0) === 0;
  return isMissing ? schema.parse({}) : checkedBody(context, schema);
}

function gotText(value: unknown, path: readonly PropertyKey[]): string {
  let found = value;
  for (const step of path) found = (found as Record<PropertyKey, unknown> | undefined)?.[step];
  if (found === undefined) return 'it is missing';
  const text = JSON.stringify(found);
  return `got ${shortened(text)}`;
}

/**
 * Checks the headers that say how a body is written.
 *
 * @param accepted Values of `Content-Type` that are read.
 * @param names Their names in the error.
 * @throws {HttpError} 415
 */
export function checkType({ headers }: RequestContext, accepted: RegExp, names: string): void {
  const type = headers['content-type'];
  if (type === undefined || !accepted.test(type)) {
    const got = type === undefined ? 'it is missing' : `got ${quoted(type)}`;
    throw new HttpError(415, `Content-Type must be ${names}, ${got}`);
  }
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw new HttpError(415, `Content-Encoding must not be used, got ${quoted(encoding)}`, [
      'Accept-Encoding',
      'identity',
    ]);
  }
}

function tooLong(): HttpError {
  return new HttpError(413, `body must have at most ${limits.request.bodyBytesMax} bytes`);
}

/** Reads the bytes; Node drains the rest of a long body, so the connection stays usable. */
function readBytes({ request, headers }: RequestContext): Promise<Buffer> {
  const { bodyBytesMax, bodyMs } = limits.request;
  if (Number(headers['content-length'] ?? 0) > bodyBytesMax) return Promise.reject(tooLong());
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const chunks: Buffer[] = [];
  let byteCount = 0;
  const timer = setTimeout(() => {
    const message = `body must arrive within ${bodyMs / 1000} seconds`;
    reject(new HttpError(408, message, ['Connection', 'close']));
  }, bodyMs);
  request.on('data', (chunk: Buffer) => {
    byteCount += chunk.length;
    if (byteCount <= bodyBytesMax) chunks.push(chunk);
    else reject(tooLong());
  });
  request.on('end', () => resolve(Buffer.concat(chunks)));
  request.on('close', () => reject(new HttpError(400, 'body must be complete')));
  return promise.finally(() => clearTimeout(timer));
}

function parsedJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (cause) {
    throw new ParameterError('body', 'body must be JSON in UTF-8', { cause });
  }
}

const { labelCharsMax } = limits.key;

/** Field for a name; counts characters as people do. The store checks which ones are allowed. */
export const labelField = z
  .string({ error: `must be a text of 1 to ${labelCharsMax} characters` })
  .refine((text) => text.length > 0 && [...text].length <= labelCharsMax, {
    error: `must have 1 to ${labelCharsMax} characters`,
  })
  .meta({ minLength: 1, maxLength: labelCharsMax })
  .describe('A name for people to read.');
