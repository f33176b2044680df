/** Says why a file is not read whose name has no ending that loads. */

import { limits } from '../../base/limits.ts';
import type { SkippedInput } from '../contract/fetch-context.ts';
import { otherTableFault } from './file-kind.ts';
import { type InputFile, isLeftover } from './input-file.ts';
import { headOf } from './read-input.ts';

const REASON = 'not a .csv, .txt, .tsv, .json, .jsonl or .parquet file';

/** Endings of tables in forms that are not read. A zip may have thousands of other members. */
const TABLE_ENDING =
  /\.(?:feather|arrow|ipc|pkl|pickle|h5|hdf|hdf5|dbn|dbn\.zst|pkl\.gz|scid|xls|xlsx|xlsm|ods|npz|npy|avro|orc|dta|sqlite|sqlite3|db)$/i;

/** Endings of files that hold others, which may be data. */
const PACKED_ENDING = /\.(?:zip|rar|7z|tar|gz|tgz|bz2|tbz2?|xz|txz|zst|lz4|lzma|z|br)$/i;

/** Names the form of a table by its first bytes. A file that can't be read is not wanted either. */
export async function unnamedReason(
  file: Pick<InputFile, 'name' | 'path' | 'member' | 'bytes' | 'modifiedUs'>,
): Promise<Omit<SkippedInput, 'name'>> {
  if (isLeftover(file.name)) return { reason: 'a leftover of macOS' };
  const isTable = TABLE_ENDING.test(file.name);
  const isPacked = !isTable && PACKED_ENDING.test(file.name);
  if (isPacked) return { reason: packedReason(file), isRefused: true };
  if (file.member && !isTable) return { reason: REASON };
  const input: InputFile = { ...file, form: 'csv', isGzip: false, isLooseJson: false };
  const head = await headOf(input, limits.ingest.headBytesMax).catch(() => Buffer.alloc(0));
  return { reason: otherTableFault(head, file.name) ?? REASON };
}

function packedReason({ name, member }: Pick<InputFile, 'name' | 'member'>): string {
  const isZip = /\.zip$/i.test(name);
  if (member && isZip) return 'a zip within a zip: unpack it';
  return `a ${name.slice(name.lastIndexOf('.'))} file: unpack it`;
}
