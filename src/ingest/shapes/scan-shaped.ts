/** Scans files, and rewrites those whose content is no plain table. Runs on the scan threads. */

import { rm, stat } from 'node:fs/promises';
import { csvFields, delimiterOf } from '../inputs/csv-line.ts';
import type { InputFile } from '../inputs/input-file.ts';
import {
  type FileScan,
  outcomesOf,
  type ScanJob,
  type ScanOutcome,
  scanInput,
} from '../inputs/scan-input.ts';
import type { ScanWork } from '../inputs/scan-inputs.ts';
import { rewriteBodies } from './rewrite-bodies.ts';
import { rewriteTable } from './rewrite-table.ts';
import type { FileStart, ShapeFacts } from './shape.ts';
import { TABLE_SHAPES } from './shapes.ts';

/** Scan of the content as kept; its hash is of the content as the user has it. */
export interface ShapedScan extends FileScan {
  shape?: ShapeFacts;
}

export default function scanShaped(jobs: readonly ScanJob[]): Promise<ScanOutcome<ShapedScan>[]> {
  return outcomesOf(jobs, async (job) => {
    const { input, unpackTo, rewriteTo } = job;
    const scan = await scanInput(input, unpackTo);
    const path = unpackTo ?? input.path;
    const shape = await rewritten(input, scan, path, rewriteTo);
    if (shape === undefined) return { scan };
    if (unpackTo !== undefined) await rm(unpackTo);
    const rescan = await scanInput(await plainInput(input, rewriteTo));
    return { scan: { ...rescan, sha256: scan.sha256, shape }, diskPath: rewriteTo };
  });
}

/** The work of `scanParts`. */
export const SHAPED_SCAN: ScanWork<ShapedScan> = [scanShaped, './scan-shaped', import.meta.url];

async function rewritten(
  { name, form }: InputFile,
  scan: FileScan,
  path: string,
  rewriteTo: string,
): Promise<ShapeFacts | undefined> {
  if (scan.lineCount === 0 || form === 'parquet') return undefined;
  if (form === 'jsonl') return rewriteBodies(path, rewriteTo, scan);
  const start = fileStart(name, scan);
  if (start === undefined) return undefined;
  for (const { words, recognise } of TABLE_SHAPES) {
    const table = recognise(start);
    if (table === undefined) continue;
    await rewriteTable(path, rewriteTo, { delimiter: start.delimiter, table });
    return { words, addedLines: table.headerLines === 0 ? 1 : 0, stated: table.stated };
  }
  return undefined;
}

async function plainInput(input: InputFile, path: string): Promise<InputFile> {
  const { size: bytes } = await stat(path);
  return { ...input, path, bytes, member: undefined, isGzip: false, isLooseJson: false };
}

/** @returns undefined if the head holds no whole line. */
export function fileStart(name: string, { head, tail, bytes }: FileScan): FileStart | undefined {
  const [first] = /^.*\S.*$/m.exec(head) ?? [];
  if (first === undefined) return undefined;
  const delimiter = delimiterOf(first);
  const isCut = bytes > Buffer.byteLength(head);
  if (isCut && !head.includes('\n')) return undefined;
  let lines: string[][] | undefined;
  return {
    name,
    delimiter,
    tail,
    header: csvFields(first, delimiter),
    lines() {
      lines ??= head
        .split('\n')
        // The last line of a cut head is not whole.
        .slice(0, isCut ? -1 : undefined)
        .filter((line) => line.trim() !== '')
        .map((line) => csvFields(line, delimiter));
      return lines;
    },
  };
}
