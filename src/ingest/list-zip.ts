/** The members of a zip, from its directory alone. */

import yauzl from 'yauzl';
import { MalformedInputError } from '../errors.ts';
import { limits } from '../limits.ts';
import type { SkippedInput } from './fetch-context.ts';
import { formFromName, type InputFile } from './input-file.ts';

const STORED = 0;
const DEFLATED = 8;

/**
 * Lists the data files of a zip. Member names are only ever labels: unpacked files get names of
 * ours, so a path like `../x` leads nowhere.
 *
 * @throws {MalformedInputError} no readable directory (a truncated download), or above the limits
 *   of members and bytes.
 */
export async function listZip(
  path: string,
): Promise<{ files: InputFile[]; skipped: SkippedInput[] }> {
  const files: InputFile[] = [];
  const skipped: SkippedInput[] = [];
  let bytes = 0;
  try {
    // The library would stop at the first strange name; here only that member is left out.
    const zip = await yauzl.openPromise(path, { decodeStrings: false });
    if (zip.entryCount > limits.ingest.zipMembersMax) {
      throw new MalformedInputError(
        `Zip "${path}" has ${zip.entryCount} members, more than ${limits.ingest.zipMembersMax}`,
      );
    }
    for await (const entry of zip.eachEntry()) {
      const { generalPurposeBitFlag, fileNameRaw, extraFields } = entry;
      const name = yauzl.getFileNameLowLevel(
        generalPurposeBitFlag,
        fileNameRaw,
        extraFields,
        false,
      );
      if (name.endsWith('/')) continue;
      const reason = refusal(entry, name);
      const known = formFromName(name);
      if (reason || !known) {
        skipped.push({ name, reason: reason ?? 'not a .csv, .txt, .jsonl or .parquet file' });
        continue;
      }
      bytes += entry.uncompressedSize;
      files.push({
        name,
        path,
        member: {
          headerOffset: entry.relativeOffsetOfLocalHeader,
          compressedBytes: entry.compressedSize,
          isDeflated: entry.compressionMethod === DEFLATED,
          crc32: entry.crc32,
        },
        bytes: entry.uncompressedSize,
        ...known,
      });
    }
  } catch (error) {
    if (error instanceof MalformedInputError) throw error;
    throw new MalformedInputError(
      `Zip "${path}" cannot be read: it is truncated or damaged (${(error as Error).message})`,
      { cause: error },
    );
  }
  if (bytes > limits.ingest.zipBytesMax) {
    throw new MalformedInputError(
      `Zip "${path}" would unpack to ${bytes} bytes, more than ${limits.ingest.zipBytesMax}`,
    );
  }
  return { files, skipped };
}

function refusal(entry: yauzl.Entry, name: string): string | undefined {
  if (yauzl.validateFileName(name) !== null) return 'its name leads out of the zip';
  if (entry.isEncrypted()) return 'encrypted';
  if (entry.compressionMethod !== STORED && entry.compressionMethod !== DEFLATED) {
    return `compressed by method ${entry.compressionMethod}, which is not known`;
  }
  if (entry.uncompressedSize > limits.ingest.zipMemberBytesMax) {
    return `${entry.uncompressedSize} bytes, more than ${limits.ingest.zipMemberBytesMax}`;
  }
  return undefined;
}
