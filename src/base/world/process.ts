/** This process and its signals. */
import process from 'node:process';

export { process };
