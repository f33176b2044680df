import { splitList as splitTexts } from '../../base/split-list.ts';

/** Splits a list of expressions, without spaces and what is empty. */
export function splitList(text: string): string[] {
  return splitTexts(text)
    .map((part) => part.trim())
    .filter((part) => part !== '');
}
