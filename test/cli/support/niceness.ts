import { readdirSync, readFileSync } from 'node:fs';

/** Returns the niceness of each thread of a process, as Linux tells. */
export function nicenessOf(pid: number | undefined): number[] {
  const tasks = `/proc/${pid}/task`;
  return readdirSync(tasks).map((id) => {
    // Field 19 of the line, behind the name in parentheses.
    const fields = readFileSync(`${tasks}/${id}/stat`, 'utf8').split(') ')[1].split(' ');
    return Number(fields[16]);
  });
}
