/**
 * Bugs that the simulation must find. Each takes one guard out of the program, in the text of one
 * file, while that file is loaded: no file changes. A `from` that does not fit once is an error.
 */

export interface PlantedBug {
  name: string;
  file: string;
  from: string;
  to: string;
}

const DURABLE = 'src/base/durable-file.ts';
const MANIFEST = 'src/store/arrow/format/manifest.ts';
const PUBLICATION = 'src/store/arrow/write/publication.ts';
const UPLOAD = 'src/fleet/replicas/upload.ts';
const REPLICA = 'src/fleet/replicas/replica.ts';
const OBJECTS = 'src/fleet/replicas/uploaded-objects.ts';
const DOWNLOAD = 'src/store/objects/download.ts';

export const BUGS: readonly PlantedBug[] = [
  { name: 'no fsync of a file', file: DURABLE, from: 'await handle.sync();', to: '' },
  {
    name: 'rename before fsync',
    file: DURABLE,
    from: "      failpoint('fsync file', this.name);\n      await handle.sync();",
    to: '      const path = join(this.#folder, this.name);\n      renameSync(path + UNFINISHED_ENDING, path);\n      await handle.sync();\n      renameSync(path, path + UNFINISHED_ENDING);',
  },
  {
    name: 'a failed write is ignored',
    file: DURABLE,
    from: 'if (this.#failure) throw this.#failure;',
    to: '',
  },
  {
    name: 'no fsync of the folder before the swap',
    file: PUBLICATION,
    from: '    syncFolder(this.#folder);\n',
    to: '',
  },
  {
    name: 'no fsync of the folder after the swap',
    file: MANIFEST,
    from: 'Buffer.from(textFromManifest(manifest)));\n  syncFolder(folder);',
    to: 'Buffer.from(textFromManifest(manifest)));',
  },
  {
    name: 'the writer lock keeps no other writer out',
    file: 'src/base/file-lock.ts',
    from: 'BEGIN EXCLUSIVE',
    to: 'BEGIN',
  },
  {
    name: 'the writer lock outlives a failed start',
    file: 'src/store/duckdb/connection/writer-lock.ts',
    from: '    database.close();\n    throw error;',
    to: '    throw error;',
  },
  {
    name: 'epochs are not compared',
    file: MANIFEST,
    from: ' || (published?.epoch ?? 0) > manifest.epoch',
    to: '',
  },
  {
    name: 'checksum of the manifest is not compared',
    file: MANIFEST,
    from: 'return stored === crc32(content) ? JSON.parse(content) : undefined;',
    to: 'return stored ? JSON.parse(content) : undefined;',
  },
  {
    name: 'checksums of bars are not compared',
    file: 'src/store/arrow/format/serving-file.ts',
    from: 'crc32(body) === place.crc32',
    to: 'crc32(body) >= 0',
  },
  {
    name: 'checksums of tables are not compared',
    file: 'src/store/arrow/format/table-file.ts',
    from: 'crc32(body) !== expected',
    to: 'crc32(body) === -expected',
  },
  {
    name: 'published files are removed as old ones',
    file: PUBLICATION,
    from: 'removeOthers(folder, published ? filesOf(published) : new Set());',
    to: 'removeOthers(folder, new Set());',
  },
  {
    name: 'unfinished files are kept',
    file: PUBLICATION,
    from: "['.arrow', STATE_ENDING, UNFINISHED_ENDING]",
    to: "['.arrow', STATE_ENDING]",
  },
  {
    name: 'readers compare the size of the manifest alone',
    file: MANIFEST,
    // biome-ignore lint/suspicious/noTemplateCurlyInString: text of the program
    from: '`${stats.ino}:${stats.mtimeNs}`',
    to: 'String(stats.size)',
  },
  {
    name: 'the shared manifest is swapped without a condition',
    file: UPLOAD,
    from: 'this.#objects.put(SHARED_NAME, content, { condition, signal })',
    to: 'this.#objects.put(SHARED_NAME, content, condition ? { signal } : {})',
  },
  {
    name: 'a folder replaces the version of another',
    file: UPLOAD,
    from: 'const isKnown = isOurs || isBefore(shared, published);',
    to: 'const isKnown = isOurs || !isBefore(shared, published);',
  },
  {
    name: 'a lost reply of the swap is a failure for ever',
    file: UPLOAD,
    from: 'const isOurs = uploaded?.id === shared.id || swapping === shared.id;\n  const isKnown = isOurs || isBefore(shared, published);',
    to: 'const isKnown = uploaded?.id === shared.id && swapping !== shared.id;',
  },
  {
    name: 'files that are still named are retired',
    file: OBJECTS,
    from: '.filter(({ object }) => !needed.has(object))',
    to: '.filter(({ object }) => object !== undefined || !needed.has(object))',
  },
  {
    name: 'retired objects stay',
    file: OBJECTS,
    from: 'await objects.delete(object, signal);',
    to: '',
  },
  {
    name: 'uploaded files are not listed again',
    file: OBJECTS,
    from: 'monotonicMs() + replicas.sweepMs',
    to: 'Number.POSITIVE_INFINITY',
  },
  {
    name: 'a replica goes back to an older version',
    file: REPLICA,
    from: 'if (order > 0) return true;',
    to: 'if (order !== 0) return true;',
  },
  {
    name: 'a replica swaps before its folder is synced',
    file: REPLICA,
    from: '    syncFolder(serving);\n    // Opening checks',
    to: '    // Opening checks',
  },
  {
    name: 'a replica swaps before it downloads',
    file: REPLICA,
    from: '    await this.#download(shared, signal);\n    await this.#swap(shared);',
    to: '    await this.#swap(shared);\n    await this.#download(shared, signal);',
  },
  {
    name: 'a replica removes the files that it serves',
    file: REPLICA,
    from: '...(this.#served ? filesOf(this.#served) : [])',
    to: '',
  },
  {
    name: 'downloads are not compared with their hash',
    file: DOWNLOAD,
    from: "received !== file.bytes || hash.digest('hex') !== file.sha256",
    to: 'received !== file.bytes',
  },
  {
    name: 'downloads are not synced',
    file: DOWNLOAD,
    from: '    await target.sync();',
    to: '',
  },
  {
    name: 'a killed trial leaves its object outside of the sweep',
    file: 'src/fleet/replicas/conditional-writes.ts',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: text of the program
    from: 'const key = `${FILES_PREFIX}trial-${randomUUID()}`;\n  const content',
    // biome-ignore lint/suspicious/noTemplateCurlyInString: text of the program
    to: 'const key = `trial-${randomUUID()}`;\n  const content',
  },
  {
    name: 'damage of a replica is not looked for',
    file: 'src/fleet/replicas/checked-files.ts',
    from: 'if (ageMs < (',
    to: 'if (ageMs < Number.POSITIVE_INFINITY || ageMs < (',
  },
];
