/** Failures of jobs that lie in their input, which its sender can mend and no operator can. */

/** Kinds of failures of files that users load. */
const OF_FILES = ['malformed', 'empty', 'wrong-question'];

/** Kinds of failures of requests to vendors. */
const OF_VENDORS = ['unknown-symbol'];

const FILES = 'files';

/** @param kind Kind of the last failure. */
export function isInputFault(source: string, kind: string | null | undefined): boolean {
  return (source === FILES ? OF_FILES : OF_VENDORS).includes(kind ?? '');
}

/** Returns the same as SQL over two columns. */
export function inputFaultSql(source: string, kind: string): string {
  const among = (kinds: readonly string[]) => `${kind} IN ('${kinds.join("', '")}')`;
  return `iif(${source} = '${FILES}', ${among(OF_FILES)}, ${among(OF_VENDORS)})`;
}
