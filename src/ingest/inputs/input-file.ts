export type FileForm = 'csv' | 'jsonl' | 'parquet';

/** Location of a zip member's bytes. Plain data, so that it can be sent to another thread. */
export interface ZipMember {
  headerOffset: number;
  compressedBytes: number;
  isDeflated: boolean;
  crc32: number;
}

export interface InputFile {
  /**
   * Path below the folder or zip, with `/`; for a single file, its name. Folders `key=value` above
   * stand before it.
   */
  name: string;
  /** The file itself, or the zip that holds it. */
  path: string;
  member?: ZipMember;
  /** Size on disk, or the member's size unpacked. */
  bytes: number;
  /** Last modification in microseconds. For a zip member, the zip's stamp read as UTC. */
  modifiedUs: bigint;
  isGzip: boolean;
  /** True for JSON whose objects do not stand on lines of their own. Unpacking puts them there. */
  isLooseJson: boolean;
  form: FileForm;
}

const FORMS: Record<string, FileForm> = {
  '.csv': 'csv',
  '.txt': 'csv',
  '.tsv': 'csv',
  '.json': 'jsonl',
  '.jsonl': 'jsonl',
  '.ndjson': 'jsonl',
  '.parquet': 'parquet',
  '.parq': 'parquet',
  '.pq': 'parquet',
};

/** Form and compression of a file by its name, or undefined if the file is not wanted. */
export type FormOf = (
  name: string,
) => Pick<InputFile, 'form' | 'isGzip' | 'isLooseJson'> | undefined;

/** The newest modification time of the files in microseconds, or undefined without files. */
export function newestModifiedUs(files: readonly InputFile[]): bigint | undefined {
  const times = files.map(({ modifiedUs }) => modifiedUs);
  return times.reduce<bigint | undefined>((a, b) => (a !== undefined && a > b ? a : b), undefined);
}

/** Attributes that macOS puts into zips and onto other systems' disks, one file for each. */
const LEFTOVER = /(?:^|\/)(?:__MACOSX\/|\._)/;

/** Returns true for the name of a file that macOS made for itself: `__MACOSX/._AAPL.csv`. */
export function isLeftover(name: string): boolean {
  return LEFTOVER.test(name);
}

/** Form and compression by the name's endings, or undefined for a leftover or an unknown ending. */
export function formFromName(name: string): ReturnType<FormOf> {
  if (isLeftover(name)) return undefined;
  const isGzip = /\.gz$/i.test(name);
  const inner = isGzip ? name.slice(0, -3) : name;
  const ending = inner.slice(inner.lastIndexOf('.')).toLowerCase();
  const form = FORMS[ending];
  if (!form || (isGzip && form === 'parquet')) return undefined;
  return { form, isGzip, isLooseJson: ending === '.json' };
}
