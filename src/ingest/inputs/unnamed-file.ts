/** Says why a file is not read whose name has no ending that loads. */

import { limits } from '../../base/limits.ts';
import { otherTableFault } from './file-kind.ts';
import type { InputFile } from './input-file.ts';
import { headOf } from './read-input.ts';

const REASON = 'not a .csv, .txt, .tsv, .json, .jsonl or .parquet file';

/** Endings of tables in forms that are not read. A zip may have thousands of other members. */
const TABLE_ENDING =
  /\.(?:feather|arrow|ipc|pkl|pickle|h5|hdf|hdf5|dbn|scid|xls|xlsx|xlsm|ods|npz|npy|sqlite|sqlite3|db)$/i;

/** Names the form of a table by its first bytes. A file that can't be read is not wanted either. */
export async function unnamedReason(
  file: Pick<InputFile, 'name' | 'path' | 'member' | 'bytes' | 'modifiedUs'>,
): Promise<string> {
  if (file.member && !TABLE_ENDING.test(file.name)) return REASON;
  const input: InputFile = { ...file, form: 'csv', isGzip: false, isLooseJson: false };
  const head = await headOf(input, limits.ingest.headBytesMax).catch(() => Buffer.alloc(0));
  return otherTableFault(head) ?? REASON;
}
