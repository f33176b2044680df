/** Finds the SEC's Financial Statement Data Sets among files, folders and zips. */

import { join } from 'node:path';
import { MalformedInputError } from '../../../base/errors.ts';
import { limits } from '../../../base/limits.ts';
import { stat } from '../../../base/world/file-promises.ts';
import type { SkippedInput } from '../../contract/fetch-context.ts';
import type { InputFile } from '../../inputs/input-file.ts';
import { listInputs } from '../../inputs/list-inputs.ts';
import { listZip, zipMembers } from '../../inputs/list-zip.ts';
import { headOf } from '../../inputs/read-input.ts';
import { secLimits } from './limits.ts';

/** Columns that tell the tables apart. Other columns, and the order of all, may differ. */
const TABLES = {
  sub: ['adsh', 'cik', 'form', 'filed', 'period'],
  num: ['adsh', 'tag', 'version', 'ddate', 'qtrs', 'uom', 'value'],
  pre: ['adsh', 'tag', 'version', 'stmt', 'report', 'line', 'plabel'],
} as const;

export type SetTable = keyof typeof TABLES;

const NAMES = Object.keys(TABLES) as SetTable[];

/** A table's file, and its columns in their order. */
export interface TableFile {
  file: InputFile;
  columns: readonly string[];
}

export interface SetFiles {
  /** Folder or zip. */
  name: string;
  tables: Record<SetTable, TableFile>;
}

export interface SetList {
  sets: SetFiles[];
  /** Paths that are no sets. */
  others: string[];
  skipped: SkippedInput[];
}

/** Lists the sets; other paths are left to the readers of company facts. */
export async function listSets(paths: readonly string[]): Promise<SetList> {
  const list: SetList = { sets: [], others: [], skipped: [] };
  for (const path of paths) {
    const found = await setsAt(path, list.skipped);
    if (found.length === 0) list.others.push(path);
    list.sets.push(...found);
  }
  return list;
}

async function setsAt(path: string, skipped: SkippedInput[]): Promise<SetFiles[]> {
  const stats = await stat(path).catch(() => undefined);
  if (stats?.isDirectory()) {
    const list = await listInputs(path);
    const sets = await setsOf(list.files, path, skipped);
    const zips = list.skipped.filter(({ name }) => ZIP_NAME.test(name));
    for (const { name } of zips) sets.push(...(await setsAt(join(path, name), skipped)));
    return sets;
  }
  if (!stats?.isFile() || !ZIP_NAME.test(path)) return [];
  // A zip of companies has thousands of members. A damaged one is reported by their reader.
  const members = await zipMembers(path).catch(() => Number.POSITIVE_INFINITY);
  if (members > Math.min(secLimits.setMembersMax, limits.ingest.zipMembersMax)) return [];
  return setsOf((await listZip(path)).files, path, skipped);
}

const ZIP_NAME = /\.zip$/i;

const TABLE_NAME = /\.(txt|tsv)(\.gz)?$/i;

async function setsOf(
  files: readonly InputFile[],
  path: string,
  skipped: SkippedInput[],
): Promise<SetFiles[]> {
  const byPlace = new Map<string, Partial<SetFiles['tables']>>();
  for (const file of files.filter(({ name }) => TABLE_NAME.test(name))) {
    const columns = await columnsOf(file);
    const table = NAMES.find((name) => TABLES[name].every((column) => columns.includes(column)));
    if (!table) continue;
    const folder = file.name.slice(0, file.name.lastIndexOf('/') + 1);
    const place = `${path}/${folder}`;
    byPlace.set(place, { ...byPlace.get(place), [table]: { file, columns } });
  }
  return [...byPlace].flatMap(([place, tables]) => {
    const name = place.replace(/\/+$/, '');
    const missing = NAMES.filter((table) => !tables[table]);
    if (missing.length === 0) return [{ name, tables: tables as SetFiles['tables'] }];
    const reason = `a set of financial statements needs ${missing.map((one) => `${one}.txt`).join(' and ')} too`;
    skipped.push({ name, reason, isRefused: true });
    return [];
  });
}

async function columnsOf(file: InputFile): Promise<string[]> {
  try {
    const head = (await headOf(file, limits.ingest.headBytesMax)).toString('latin1');
    const [header] = head.replace(/^\u00ef\u00bb\u00bf/, '').split(/\r?\n/, 1);
    return header
      .toLowerCase()
      .split('\t')
      .map((column) => column.trim());
  } catch (error) {
    if (!(error instanceof MalformedInputError)) throw error;
    throw new MalformedInputError(`"${file.name}": ${error.message}`, { cause: error });
  }
}
