/**
 * Bugs that the simulation must find. Each takes one guard out of the program, in the text of one
 * file, while that file is loaded: no file changes. A `from` that does not fit once is an error.
 */

import { JOB_BUGS } from './job-bugs.ts';
import type { PlantedBug } from './planted-bug.ts';

const DURABLE = 'src/base/durable-file.ts';
const MANIFEST = 'src/store/arrow/format/manifest.ts';
const PUBLICATION = 'src/store/arrow/write/publication.ts';
const UPLOAD = 'src/fleet/replicas/upload.ts';
const PUBLISHERS = 'src/fleet/replicas/publishers.ts';
const REPLICA = 'src/fleet/replicas/replica.ts';
const OBJECTS = 'src/fleet/replicas/uploaded-objects.ts';
const BATCHES = 'src/fleet/postgres/usage-batches.ts';
const DOWNLOAD = 'src/store/objects/download.ts';

export const BUGS: readonly PlantedBug[] = [
  ...JOB_BUGS,
  { name: 'no fsync of a file', file: DURABLE, from: 'await handle.sync();', to: '' },
  {
    name: 'rename before fsync',
    file: DURABLE,
    from: "      failpoint('fsync file', this.name);\n      await handle.sync();",
    to: '      const path = join(this.#folder, this.name);\n      renameSync(this.#unfinished, path);\n      await handle.sync();\n      renameSync(path, this.#unfinished);',
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
    from: ' || epoch > manifest.epoch',
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
    file: PUBLISHERS,
    from: 'isOurs(shared, state) || isBefore(shared, published);',
    to: 'isOurs(shared, state) || !isBefore(shared, published);',
  },
  {
    name: 'a lost reply of the swap is a failure for ever',
    file: PUBLISHERS,
    from: 'const isKnown = isOurs(shared, state) || isBefore(shared, published);',
    to: 'const isKnown = state.uploaded?.id === shared.id;',
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
  {
    name: 'no fsync of the folder after a set of files',
    file: 'src/store/parquet/file-sets.ts',
    from: '  await placeDurable(folder, NAME, Buffer.from(JSON.stringify(checked)));',
    to: "  const { writeDurable } = await import('../../base/durable-file.ts');\n  await writeDurable(folder, NAME, Buffer.from(JSON.stringify(checked)));",
  },
  {
    name: 'no fsync of any folder',
    file: DURABLE,
    from: '    fsyncSync(fd);',
    to: '',
  },
  {
    name: 'a damaged manifest tells no epoch',
    file: 'src/store/arrow/format/high-water.ts',
    from: 'return highestOf(marksIn(folder));',
    to: 'return { epoch: 0, version: 0 };',
  },
  {
    name: 'a damaged manifest of a replica stays',
    file: REPLICA,
    from: 'damaged.length > 0 || isManifestDamaged',
    to: 'damaged.length > 0',
  },
  {
    name: 'a damaged file is uploaded with the hash of its damage',
    file: UPLOAD,
    from: '  await check();\n  return hashed.sha256;',
    to: '  return hashed.sha256;',
  },
  {
    name: 'an object that was uploaded again leaves the retired list',
    file: OBJECTS,
    from: 'for (const { object } of dropped) this.#removed.delete(object);',
    to: '',
  },
  {
    name: 'an overtaken set of files is listed again',
    file: 'src/fleet/replicas/replica-sets.ts',
    from: '    this.#later = undefined;\n    const [newest',
    to: '    const [newest',
  },
  {
    name: 'a killed upload keeps its files to itself',
    file: 'src/fleet/replicas/upload-sets.ts',
    from: '[uploaded?.id, swapping]',
    to: '[uploaded?.id]',
  },
  {
    name: 'a failed task is lost on a full disk',
    file: 'jobs/runner/active-runs.ts',
    from: '    const waitMs = retryAfterMs(failure, task.failures);\n',
    to: '    const waitMs = retryAfterMs(failure, task.failures);\n    this.#deps.ledger.taskFailed(run.head.id, index, failure, waitMs === undefined);\n',
  },
  {
    name: 'counts are written twice',
    file: 'src/store/accounts/usage/usage-counts.ts',
    from: 'spent.written(key, day, tokens);\n    counts.clear();',
    to: 'spent.written(key, day, tokens);',
  },
  {
    name: 'a revoked key is admitted',
    file: 'src/store/accounts/keys/key-finder.ts',
    from: ' AND revoked_at IS NULL',
    to: '',
  },
  {
    name: 'a lease on a delivery never ends',
    file: 'src/store/accounts/webhooks/delivery-queue.ts',
    from: 'SET lease = :lease, next_at = :until\n',
    to: 'SET lease = :lease, next_at = :until + 1e15\n',
  },
  {
    name: 'an event is added again under another id',
    file: 'src/store/accounts/webhooks/event-store.ts',
    from: '      const { id, type } = event;\n      const values = [id,',
    to: '      const { type } = event;\n      const id = event.id + nowMs;\n      const values = [id,',
  },
  {
    name: 'the position in the outbox moves before the events',
    file: 'src/store/accounts/records/records.ts',
    from: '          await work(own);\n          await own.moveRelay(mode, position);',
    to: "          await own.moveRelay(mode, position);\n          await tx.run('COMMIT');\n          await tx.run('BEGIN IMMEDIATE');\n          await work(own);",
  },
  {
    name: 'a batch of usage is added again after a lost reply',
    file: BATCHES,
    from: 'WHERE usage_senders.batch < excluded.batch',
    to: 'WHERE usage_senders.batch <= excluded.batch',
  },
  {
    name: 'a batch of usage is removed before it is sent',
    file: BATCHES,
    from: '        const totals = await send(rows);',
    to: '        remove.run(rows[0].sender, rows[0].batch);\n        const totals = await send(rows);',
  },
  {
    name: 'the position of a copy moves before its rows',
    file: 'src/fleet/postgres/key-copy.ts',
    from: 'const end = Math.min(newest.changed ?? 0, from + limits.postgres.batchRows);',
    to: 'const end = Math.min(newest.changed ?? 0, from + limits.postgres.batchRows);\n    putState.run(end, startMs, newest.database);',
  },
  {
    name: 'a look at the accounts that fails counts as one',
    file: 'src/api/access/authenticate.ts',
    from: '    const newest = accounts.version();\n    checkedMs = nowMs;',
    to: '    checkedMs = nowMs;\n    const newest = accounts.version();',
  },
  {
    name: 'keys are admitted for ever without Postgres',
    file: 'src/fleet/postgres/key-copy.ts',
    from: 'if (Math.abs(now() - contactMs()) <= staleMs) return;',
    to: 'return;',
  },
  {
    name: 'threads are not told of copied changes',
    file: 'src/fleet/postgres/key-copy.ts',
    from: 'if (isCopied && rows.keys.length + rows.accounts.length > 0) changed(db);',
    to: '',
  },
  {
    name: 'counts are forgotten before they are written',
    file: 'src/store/accounts/usage/usage-counts.ts',
    from: '    inTransaction(db, () => write(counts.values()));\n',
    to: '    const all = [...counts.values()];\n    counts.clear();\n    inTransaction(db, () => write(all));\n',
  },
  {
    name: 'files of the version before are removed at once',
    file: PUBLICATION,
    from: 'await swapManifest(this.#folder, manifest, this.#damaged);',
    to: 'await swapManifest(this.#folder, manifest, this.#damaged);\n    removeUnneeded(this.#folder, manifest);',
  },
  {
    name: 'a short write counts as a whole one',
    file: DURABLE,
    from: '      done += (await handle.write(rest, 0, rest.length, position + done)).bytesWritten;',
    to: '      await handle.write(rest, 0, rest.length, position + done);\n      done = bytes.length;',
  },
  {
    name: 'one bad read is damage',
    file: 'src/base/read-again.ts',
    from: '    if (error instanceof CorruptDataError) return read();\n',
    to: '',
  },
  {
    name: 'a failed publish leaves writes behind',
    file: DURABLE,
    from: '  await Promise.allSettled(writes);\n',
    to: '',
  },
];
