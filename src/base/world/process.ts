/**
 * This process and its signals, and processes that it starts. Each process has a world of its own:
 * it loads these files again.
 */
import process from 'node:process';

export * from 'node:child_process';
export { process };
