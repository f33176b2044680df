/** One file of candles as found on disk or in a zip, before it is read. Types, names and times only. */

export type FileForm = 'csv' | 'jsonl' | 'parquet';

/** Where a zip member's bytes lie; plain data, so that it can be sent to another thread. */
export interface ZipMember {
  headerOffset: number;
  compressedBytes: number;
  isDeflated: boolean;
  crc32: number;
}

export interface InputFile {
  /** Path below the folder or zip as the user knows it, with `/`; for one file its name. */
  name: string;
  /** The file itself, or the zip that holds it. */
  path: string;
  member?: ZipMember;
  /** Size on disk, or the member's size unpacked. */
  bytes: number;
  /** When it was changed last, in microseconds; of a member what the zip says, read as UTC. */
  modifiedUs: bigint;
  isGzip: boolean;
  /** JSON whose objects are not on lines of their own yet: unpacking puts them there. */
  isLooseJson: boolean;
  form: FileForm;
}

const FORMS: Record<string, FileForm> = {
  '.csv': 'csv',
  '.txt': 'csv',
  '.json': 'jsonl',
  '.jsonl': 'jsonl',
  '.parquet': 'parquet',
};

/** Form and compression of a file by its name; undefined where it is not wanted. */
export type FormOf = (
  name: string,
) => Pick<InputFile, 'form' | 'isGzip' | 'isLooseJson'> | undefined;

/** The newest modification time of files in microseconds; undefined without files. */
export function newestModifiedUs(files: readonly InputFile[]): bigint | undefined {
  const times = files.map(({ modifiedUs }) => modifiedUs);
  return times.reduce<bigint | undefined>((a, b) => (a !== undefined && a > b ? a : b), undefined);
}

/** By the name's endings; undefined when none is known. */
export function formFromName(name: string): ReturnType<FormOf> {
  const isGzip = /\.gz$/i.test(name);
  const inner = isGzip ? name.slice(0, -3) : name;
  const ending = inner.slice(inner.lastIndexOf('.')).toLowerCase();
  const form = FORMS[ending];
  if (!form || (isGzip && form === 'parquet')) return undefined;
  return { form, isGzip, isLooseJson: ending === '.json' };
}
