/** Finds filings of insiders among a user's files by their first bytes. */

import { basename } from 'node:path';
import { MalformedInputError } from '../../../base/errors.ts';
import { limits } from '../../../base/limits.ts';
import { stat } from '../../../base/world/file-promises.ts';
import type { SkippedInput } from '../../contract/fetch-context.ts';
import type { InputFile } from '../../inputs/input-file.ts';
import { listInputs } from '../../inputs/list-inputs.ts';
import { listZip } from '../../inputs/list-zip.ts';
import { headOf, headOfFile } from '../../inputs/read-input.ts';
import { isFormIndex } from '../shared/parse-form-index.ts';
import { isSgmlSubmission } from '../shared/parse-sgml-header.ts';
import { type InsiderTable, insiderTable } from './parse-insider-dataset.ts';

export interface FilingFiles {
  submissions: InputFile[];
  /** XML without a submission around it. */
  documents: InputFile[];
  /** Tables of quarterly data sets, grouped by folder or zip. */
  datasets: { name: string; tables: Partial<Record<InsiderTable, InputFile>> }[];
  skipped: SkippedInput[];
}

type Kind = 'submission' | 'document' | InsiderTable | { skip: string };

const anyName = (name: string) => {
  return { form: 'csv' as const, isGzip: /\.gz$/i.test(name), isLooseJson: false };
};

/** @param paths Files, folders and zips. A zip may lie in a folder. */
export async function findFilingFiles(paths: readonly string[]): Promise<FilingFiles> {
  const found: FilingFiles = { submissions: [], documents: [], datasets: [], skipped: [] };
  const datasets = new Map<string, FilingFiles['datasets'][number]>();
  for (const path of paths) {
    const { files, skipped } = await listAll(path);
    found.skipped.push(...skipped);
    for (const file of files) {
      const kind = await kindOf(file);
      if (kind === 'submission') found.submissions.push(file);
      else if (kind === 'document') found.documents.push(file);
      else if (typeof kind === 'object') found.skipped.push({ name: file.name, reason: kind.skip });
      else addTable(datasets, file, kind);
    }
  }
  for (const dataset of datasets.values()) {
    const { submissions, shares, derivatives } = dataset.tables;
    if (submissions && (shares || derivatives)) found.datasets.push(dataset);
    else {
      const reason = 'a data set needs SUBMISSION and NONDERIV_TRANS or DERIV_TRANS beside it';
      found.skipped.push({ name: dataset.name, reason });
    }
  }
  return found;
}

function addTable(
  datasets: Map<string, FilingFiles['datasets'][number]>,
  file: InputFile,
  kind: InsiderTable,
): void {
  const folder = file.name.slice(0, file.name.lastIndexOf('/') + 1);
  const key = file.member
    ? `${file.path}\n${folder}`
    : `${file.path.slice(0, -basename(file.path).length)}`;
  const dataset = datasets.get(key) ?? { name: file.member ? file.path : file.name, tables: {} };
  dataset.tables[kind] = file;
  datasets.set(key, dataset);
}

async function listAll(path: string): Promise<{ files: InputFile[]; skipped: SkippedInput[] }> {
  const stats = await stat(path).catch(() => undefined);
  if (stats?.isFile() && (await isZip(path))) return listZip(path, anyName);
  const { files, skipped } = await listInputs(path, anyName);
  const plain: InputFile[] = [];
  for (const file of files) {
    if (file.member || file.isGzip || !(await isZip(file.path).catch(() => false)))
      plain.push(file);
    else {
      const within = await listZip(file.path, anyName).catch((error: unknown) => {
        if (!(error instanceof MalformedInputError)) throw error;
        skipped.push({ name: file.name, reason: error.message, isRefused: true });
      });
      plain.push(...(within?.files ?? []));
      skipped.push(...(within?.skipped ?? []));
    }
  }
  return { files: plain, skipped };
}

async function isZip(path: string): Promise<boolean> {
  return (await headOfFile(path, 4)).equals(Buffer.from('PK\x03\x04'));
}

async function kindOf(input: InputFile): Promise<Kind> {
  let head: string;
  try {
    head = (await headOf(input, limits.ingest.headBytesMax)).toString('latin1');
  } catch (error) {
    if (error instanceof MalformedInputError) return { skip: error.message };
    throw error;
  }
  if (head === '') return { skip: 'it has zero bytes' };
  if (isSgmlSubmission(head)) return 'submission';
  if (/<ownershipDocument[\s>]/.test(head)) return 'document';
  if (isFormIndex(head)) return { skip: 'an index, which names filings and does not hold them' };
  if (/<feed[\s>]/.test(head))
    return { skip: 'a feed, which names filings and does not hold them' };
  const table = insiderTable(head);
  if (table === undefined) return { skip: 'neither a filing of an insider nor a table of them' };
  return table;
}
