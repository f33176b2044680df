/** Files of this machine, by calls that return promises. */
export * from 'node:fs/promises';
