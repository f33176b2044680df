/**
 * One query of `query_sql`: a line of JSON on stdin, a line of JSON on stdout, then the end. The
 * process also ends when its server does, which closes stdin.
 */

import { createInterface } from 'node:readline';
import { limits } from '../../base/limits.ts';
import { type FileQuery, queryFiles } from '../../store/parquet/query.ts';
import { lowerThreadPriority } from './priority.ts';

lowerThreadPriority();
// DuckDB works on threads of its own, and single values can exceed its limit of memory.
setInterval(() => {
  if (process.memoryUsage.rss() > limits.sql.processBytesMax) process.exit(1);
}, limits.sql.checkMs);

async function respond(query: FileQuery): Promise<void> {
  const reply = await queryFiles(query).catch(({ message }: Error) => ({ error: message }));
  process.stdout.write(JSON.stringify(reply), () => process.exit());
}

createInterface(process.stdin)
  .once('line', (line) => void respond(JSON.parse(line)))
  .once('close', () => process.exit());
