/** Bodies of requests: JSON of bounded size, checked against a schema. */

import { z } from 'zod';
import { HttpError, ParameterError } from '../../base/errors.ts';
import { limits } from '../../base/limits/limits.ts';
import { quoted, shortened } from '../../base/quoted.ts';
import type { Exchange } from './request-context.ts';

const JSON_TYPE = /^application\/json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;

/**
 * The body of a request as its schema describes it.
 *
 * @param schema A strict object; the message of a field says what it must be.
 * @throws {HttpError} 408, 413, 415: it comes too slowly, is too long or of another type.
 * @throws {ParameterError} it is no JSON object, or the first field that breaks a rule, by name.
 */
export async function checkedBody<T>(exchange: Exchange, schema: z.ZodType<T>): Promise<T> {
  checkType(exchange);
  const value = parsedJson(await readBytes(exchange));
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const { issues } = parsed.error;
  // First: a misspelled name is why the right one is missing.
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

/** Of requests whose path says all. */
export const noFields = z.strictObject({});

/** The same where a body may be missing, which means an empty object. */
export async function optionalBody<T>(exchange: Exchange, schema: z.ZodType<T>): Promise<T> {
  const { 'content-length': length, 'transfer-encoding': encoding } = exchange.headers;
  const isMissing = encoding === undefined && Number(length ?? 0) === 0;
  return isMissing ? schema.parse({}) : checkedBody(exchange, schema);
}

function gotText(value: unknown, path: readonly PropertyKey[]): string {
  let found = value;
  for (const step of path) found = (found as Record<PropertyKey, unknown> | undefined)?.[step];
  if (found === undefined) return 'it is missing';
  const text = JSON.stringify(found);
  return `got ${shortened(text)}`;
}

function checkType({ headers }: Exchange): void {
  const type = headers['content-type'];
  if (type === undefined || !JSON_TYPE.test(type)) {
    const got = type === undefined ? 'it is missing' : `got ${quoted(type)}`;
    throw new HttpError(415, `Content-Type must be application/json, ${got}`);
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

/** What is not read here Node reads and drops, so that the connection stays usable. */
function readBytes({ request, headers }: Exchange): Promise<Buffer> {
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
  request.on('close', () => reject(new HttpError(400, 'body must arrive whole')));
  return promise.finally(() => clearTimeout(timer));
}

function parsedJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (cause) {
    throw new ParameterError('body', 'body must be JSON in UTF-8', { cause });
  }
}
