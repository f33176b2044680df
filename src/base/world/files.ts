/** Files of this machine, by calls that block. */
export * from 'node:fs';
