/** Facts about this machine: its name, memory and processors. */
export * from 'node:os';
