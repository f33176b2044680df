/** Reads zip files of real data in tests. */

import yauzl from 'yauzl';

/** Names of a zip's members that are files. */
export async function zipMemberNames(path: string): Promise<string[]> {
  const zip = await yauzl.openPromise(path);
  try {
    const names: string[] = [];
    for await (const { fileName } of zip.eachEntry()) {
      if (!fileName.endsWith('/')) names.push(fileName);
    }
    return names;
  } finally {
    zip.close();
  }
}

/** Text of the named members, by name; those that do not exist are missing. */
export async function readZipMembers(
  path: string,
  names: readonly string[],
): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  const zip = await yauzl.openPromise(path);
  try {
    for await (const entry of zip.eachEntry()) {
      if (!names.includes(entry.fileName)) continue;
      const chunks: Buffer[] = [];
      for await (const chunk of await zip.openReadStreamPromise(entry))
        chunks.push(chunk as Buffer);
      texts.set(entry.fileName, Buffer.concat(chunks).toString('utf8'));
    }
  } finally {
    zip.close();
  }
  return texts;
}
