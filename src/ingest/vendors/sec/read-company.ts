/** Reads the files of one company, from disk or from a zip. Also runs on worker threads. */

import { MalformedInputError } from '../../../base/errors.ts';
import { textFromUtf8 } from '../../http/response.ts';
import type { InputFile } from '../../inputs/input-file.ts';
import { readInput } from '../../inputs/read-input.ts';
import {
  type CompanyFile,
  type CompanyOutcome,
  companyOutcome,
  type Listing,
} from './company-outcome.ts';
import { secLimits } from './limits.ts';

/** A company's files. Plain data, so that it can be sent to another thread. */
export interface CompanyInput {
  cik: number;
  files: InputFile[];
  listings: readonly Listing[] | undefined;
}

export async function readCompany(input: CompanyInput): Promise<CompanyOutcome> {
  const files: CompanyFile[] = [];
  for (const file of input.files) files.push(await readFile(file));
  return companyOutcome(input.cik, files, input.listings);
}

async function readFile(file: InputFile): Promise<CompanyFile> {
  const { name } = file;
  try {
    return { name, json: JSON.parse(await textOf(file)) };
  } catch (error) {
    if (error instanceof SyntaxError) return { name, json: undefined, damage: 'it is not JSON' };
    if (!(error instanceof MalformedInputError)) throw error;
    return { name, json: undefined, damage: error.message };
  }
}

/** Reads a file or member. @throws {MalformedInputError} it is damaged, too large or not UTF-8. */
export async function textOf(file: InputFile): Promise<string> {
  const { companyBytesMax } = secLimits;
  const chunks: Buffer[] = [];
  let bytes = 0;
  const add = (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > companyBytesMax) throw new Error(`it has more than ${companyBytesMax} bytes`);
    chunks.push(chunk);
  };
  if (file.bytes > companyBytesMax) {
    throw new MalformedInputError(`it has more than ${companyBytesMax} bytes`);
  }
  await readInput(file, add);
  return textFromUtf8(chunks.length === 1 ? chunks[0] : Buffer.concat(chunks));
}

/** Returns the outcome as JSON, which costs a tenth of cloning its thousands of objects. */
export default async function companyText(input: CompanyInput): Promise<string> {
  return JSON.stringify(await readCompany(input));
}
