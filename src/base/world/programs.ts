/**
 * Processes that this one starts. Each has a world of its own: it loads these files again. A file
 * apart, because loading `node:child_process` costs each start some milliseconds.
 */
export * from 'node:child_process';
