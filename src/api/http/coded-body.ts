/** Bodies in a content coding, made beside the answering thread. */

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
import { limits } from '../../base/limits/limits.ts';
import type { Coding } from './content-coding.ts';

/** How hard to try: for what is made once, and for what a client waits for. */
export type CodingEffort = keyof typeof limits.coding.efforts;

/** Coded forms of a body that is kept. */
export interface KeptForms {
  effort: CodingEffort;
  /** A promise while the form is being made, so that all who ask meanwhile wait for one. */
  forms: Map<Coding, Buffer | Promise<Buffer>>;
  /** Counts the bytes of a form for whoever bounds them. */
  count?(bytes: number): void;
}

/** Makes place for the forms of an answer that is kept. */
export function keptForms(effort: CodingEffort, count?: KeptForms['count']): KeptForms {
  return { effort, forms: new Map(), count };
}

const brotliAsync = promisify(brotliCompress);
const gzipAsync = promisify(gzip);

/** @param sizeHint Of what is coded; 0: not known. */
function brotliOptions(effort: CodingEffort, sizeHint = 0): BrotliOptions {
  const quality = limits.coding.efforts[effort].br;
  return {
    params: { [zlib.BROTLI_PARAM_QUALITY]: quality, [zlib.BROTLI_PARAM_SIZE_HINT]: sizeHint },
  };
}

/** Works in Node's thread pool; the answering thread spends some 40 µs, whatever the size. */
function made(body: string | Buffer, coding: Coding, effort: CodingEffort): Promise<Buffer> {
  return coding === 'br'
    ? brotliAsync(body, brotliOptions(effort, body.length))
    : gzipAsync(body, { level: limits.coding.efforts[effort].gzip });
}

/** The body of an answer in a coding: the kept form where there is one. */
export function codedBody(
  { body, kept }: { body: string | Buffer; kept?: KeptForms },
  coding: Coding,
): Buffer | Promise<Buffer> {
  if (!kept) return made(body, coding, 'quick');
  const { effort, forms } = kept;
  const known = forms.get(coding);
  if (known) return known;
  const making = made(body, coding, effort).then(
    (coded) => {
      // The last of its chunks may be far larger than what is in it.
      const own = Buffer.from(new Uint8Array(coded).buffer);
      forms.set(coding, own);
      kept.count?.(own.length);
      return own;
    },
    (error) => {
      forms.delete(coding);
      throw error;
    },
  );
  forms.set(coding, making);
  return making;
}

/** A stream that codes what is written to it. */
export function createCoder(coding: Coding): Transform {
  return coding === 'br'
    ? createBrotliCompress(brotliOptions('quick'))
    : createGzip({ level: limits.coding.efforts.quick.gzip });
}
