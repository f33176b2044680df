/**
 * One query of `query_sql`: a line of JSON on stdin, a line of JSON on stdout, then the end. The
 * process also ends when its server does, which closes stdin.
 */

import { once } from 'node:events';
import { join, sep } from 'node:path';
import { createInterface } from 'node:readline';
import { limits } from '../../base/limits.ts';
import { process } from '../../base/world/process.ts';
import { Worker } from '../../base/world/threads.ts';
import { type FileQuery, queryFiles } from '../../store/parquet/query.ts';
import { lowerThreadPriority } from './priority.ts';

lowerThreadPriority();
const { checkMs, processBytesMax } = limits.sql;

// A single value can exceed DuckDB's limit of memory, and blocks this thread while it is converted.
const WATCH = `setInterval(() => {
  if (process.memoryUsage.rss() > ${processBytesMax}) process.kill(process.pid, 'SIGKILL');
}, ${checkMs})`;

async function respond(query: FileQuery): Promise<void> {
  const reply = await queryFiles(query).catch(({ message }: Error) => ({
    // Agents know the files by their names.
    error: message.replaceAll(join(process.cwd(), sep), ''),
  }));
  process.stdout.write(JSON.stringify(reply), () => process.exit());
}

const watch = new Worker(WATCH, { eval: true });
const watched = once(watch, 'online');

createInterface(process.stdin)
  .once('line', async (line) => {
    await watched;
    await respond(JSON.parse(line));
  })
  // An exit would wait for the query, which may have no end.
  .once('close', () => process.kill(process.pid, 'SIGKILL'));
