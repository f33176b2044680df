/** Content codings: chosen from `Accept-Encoding`, and made outside of the event loop. */

import type { Transform } from 'node:stream';
import { promisify } from 'node:util';
import {
  type BrotliOptions,
  brotliCompress,
  createBrotliCompress,
  createGzip,
  gzip,
  constants as zlib,
} from 'node:zlib';
import { CONTENT_TYPES, preferencesFrom } from './format.ts';
import { codingLimits } from './limits.ts';

/** In order of preference where a client likes both: brotli is smaller and not slower. */
export const CODINGS = ['br', 'gzip'] as const;

export type Coding = (typeof CODINGS)[number];

interface AcceptedCoding {
  /** Undefined: the client prefers the plain form, or accepts no other. */
  coding: Coding | undefined;
  refusesPlain: boolean;
}

const PLAIN_ONLY: AcceptedCoding = { coding: undefined, refusesPlain: false };

/** Parsed headers; clients of a kind send the same text. */
const known = new Map<string, AcceptedCoding>();

function acceptedCoding(header: string): AcceptedCoding {
  let accepted = known.get(header);
  if (!accepted) {
    accepted = readAccepted(header);
    const { entriesMax, charsMax } = codingLimits.remembered;
    if (known.size >= entriesMax) known.clear();
    if (header.length <= charsMax) known.set(header, accepted);
  }
  return accepted;
}

/** Reads the header; `x-gzip` is gzip's older name (RFC 9110, 8.4.1.3). */
function readAccepted(header: string): AcceptedCoding {
  const preferences = preferencesFrom(header).map(({ name, quality }) => ({
    name: name === 'x-gzip' ? 'gzip' : name,
    quality,
  }));
  const qualityOf = (name: string) => preferences.find((one) => one.name === name)?.quality;
  const others = qualityOf('*');
  const ranked = CODINGS.map((coding) => ({ coding, quality: qualityOf(coding) ?? others ?? 0 }));
  const best = ranked.reduce((a, b) => (b.quality > a.quality ? b : a));
  // The plain form is always accepted unless it is refused by name or by a star.
  const refusesPlain = (qualityOf('identity') ?? others) === 0;
  const plainQuality = qualityOf('identity') ?? 0;
  const isPreferred = best.quality > 0 && best.quality >= plainQuality;
  return { coding: isPreferred ? best.coding : undefined, refusesPlain };
}

/** The length of a body, a function if it is sent in pieces, and its coded forms. */
interface Codable {
  bodyBytes: number;
  pieces?: unknown;
  kept?: KeptForms;
}

/**
 * Returns true if some `Accept-Encoding` changes the form. Short bodies do not repay the work of
 * coding, unless it is done; a file has one form, so that its ranges are the same for all.
 */
export function isCodable({ bodyBytes, pieces, kept }: Codable): boolean {
  const isFile = pieces !== undefined && Number.isFinite(bodyBytes);
  const isWorth = bodyBytes >= codingLimits.bytesMin || (kept !== undefined && kept.forms.size > 0);
  return isWorth && !isFile;
}

/**
 * Chooses the coding of a response.
 *
 * Arrow is coded only for a client that refuses the plain form (`gzip, identity;q=0`): most
 * clients accept gzip by default, and they gain more from a file that they can read in place.
 * Parquet is compressed already.
 *
 * @param header `Accept-Encoding`. A client that accepts no known form gets the plain one.
 * @returns undefined: none.
 */
export function chosenCoding(
  response: Codable & { contentType: string },
  header: string | undefined,
): Coding | undefined {
  if (header === undefined || !isCodable(response)) return undefined;
  const { contentType } = response;
  const { coding, refusesPlain } = header === '' ? PLAIN_ONLY : acceptedCoding(header);
  const isPlain = contentType === CONTENT_TYPES.arrow || contentType === CONTENT_TYPES.parquet;
  return isPlain && !refusesPlain ? undefined : coding;
}

/** Returns the strong validator of a coded form, whose bytes differ from the plain form's. */
export function codedEtag(etag: string, coding: Coding | undefined): string {
  return coding ? `${etag.slice(0, -1)}-${coding}"` : etag;
}

/** Coded forms of a cached body. */
export interface KeptForms {
  /** A promise while the form is being made, so that concurrent requests share one. */
  forms: Map<Coding, Buffer | Promise<Buffer>>;
  /** Adds the bytes of a new form to the cache's total. */
  count?(bytes: number): void;
}

const brotliAsync = promisify(brotliCompress);
const gzipAsync = promisify(gzip);

/** @param sizeHint Bytes to code; 0: not known. */
function brotliOptions(sizeHint = 0): BrotliOptions {
  const { br } = codingLimits.levels;
  return { params: { [zlib.BROTLI_PARAM_QUALITY]: br, [zlib.BROTLI_PARAM_SIZE_HINT]: sizeHint } };
}

/** Compresses on the libuv pool; the event loop spends about 40 µs, whatever the size. */
function compressed(body: string | Buffer, coding: Coding): Promise<Buffer> {
  return coding === 'br'
    ? brotliAsync(body, brotliOptions(body.length))
    : gzipAsync(body, { level: codingLimits.levels.gzip });
}

/** Returns the body of a response in a coding: the cached form, if there is one. */
export function codedBody(
  { body, kept }: { body: string | Buffer; kept?: KeptForms },
  coding: Coding,
): Buffer | Promise<Buffer> {
  if (!kept) return compressed(body, coding);
  const { forms } = kept;
  const found = forms.get(coding);
  if (found) return found;
  const made = compressed(body, coding)
    .then((coded) => {
      // The last chunk of zlib's output may be far larger than its content.
      const own = Buffer.from(new Uint8Array(coded).buffer);
      forms.set(coding, own);
      kept.count?.(own.length);
      return own;
    })
    .catch((error) => {
      forms.delete(coding);
      throw error;
    });
  forms.set(coding, made);
  return made;
}

/** Creates a stream that compresses its input. */
export function createCoder(coding: Coding): Transform {
  return coding === 'br'
    ? createBrotliCompress(brotliOptions())
    : createGzip({ level: codingLimits.levels.gzip });
}
