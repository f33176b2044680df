/** Copies of an XML document with one thing changed in each: what filers and accidents do to it. */

import type { Mutation } from './mutations.ts';

/** Innermost elements: those that hold text or nothing. */
const LEAF = /<([A-Za-z][\w:.-]*)([^<>]*?)(?:\/>|>([^<]*)<\/\1>)/g;
/** Elements that hold others, of which the smallest are found. */
const PARENT = /<([A-Za-z][\w:.-]*)>\s*(?:<([A-Za-z][\w:.-]*)[^<>]*>[^<]*<\/\2>\s*)+<\/\1>/g;

/** Limit for elements of one kind: the first two of many transactions stand for the others. */
const SAME_KIND_MAX = 2;

/**
 * Each innermost element missing, empty, twice, of another kind; each group of them missing and
 * reversed; all reversed; unknown elements in between; cut off anywhere. Of elements of one kind
 * the first ones.
 */
export function xmlMutationsOf(sample: string): Mutation[] {
  const mutations: Mutation[] = [];
  const replaced = (at: number, length: number, by: string) =>
    sample.slice(0, at) + by + sample.slice(at + length);
  const seen = new Map<string, number>();
  for (const { 0: whole, 1: tag, index } of sample.matchAll(LEAF)) {
    const kind = `${tagBefore(sample, index)} ${tag}`;
    const nth = (seen.get(kind) ?? 0) + 1;
    seen.set(kind, nth);
    if (nth > SAME_KIND_MAX) continue;
    const replacements: [string, string][] = [
      ['missing', ''],
      ['empty', `<${tag}/>`],
      ['twice', whole + whole],
      ['a text', `<${tag}>x</${tag}>`],
      ['a number', `<${tag}>-1</${tag}>`],
      ['huge', `<${tag}>1e308</${tag}>`],
      ['full of others', `<${tag}><value>7</value><other/></${tag}>`],
      ['null', `<${tag}>null</${tag}>`],
    ];
    for (const [what, by] of replacements) {
      mutations.push({ name: `${tag} is ${what}`, text: replaced(index, whole.length, by) });
    }
  }
  for (const { 0: whole, 1: tag, index } of sample.matchAll(PARENT)) {
    mutations.push({ name: `${tag} is missing`, text: replaced(index, whole.length, '') });
  }
  mutations.push({ name: 'reversed', text: reversedXml(sample) });
  mutations.push({ name: 'with unknown elements', text: withUnknownElements(sample) });
  for (const share of [0, 0.1, 0.5, 0.9, 0.999]) {
    const text = sample.slice(0, Math.floor(sample.length * share));
    mutations.push({ name: `cut off at ${share}`, text });
  }
  return mutations;
}

/** Tells elements apart that have the same name at other places. */
function tagBefore(sample: string, index: number): string {
  return sample.slice(sample.lastIndexOf('<', index - 1), index).trim();
}

/** Groups of innermost elements from last to first. */
export function reversedXml(sample: string): string {
  return sample.replace(PARENT, (whole, tag: string) => {
    const leaves = [...whole.matchAll(LEAF)].map(([leaf]) => leaf);
    return `<${tag}>${leaves.reverse().join('')}</${tag}>`;
  });
}

/** A new element behind each of the innermost. */
export function withUnknownElements(sample: string): string {
  return sample.replace(LEAF, (leaf) => `${leaf}<newElement id="1">new</newElement>`);
}

/** A document that would unpack to gigabytes where entities were expanded. */
export function entityBomb(body: string): string {
  const levels = Array.from({ length: 12 }, (_, level) => {
    const inner = level === 0 ? 'lol' : `&l${level - 1};`.repeat(10);
    return `<!ENTITY l${level} "${inner}">`;
  });
  return `<?xml version="1.0"?><!DOCTYPE bomb [${levels.join('')}]>${body}`;
}
