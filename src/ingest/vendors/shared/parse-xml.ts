/** Parses XML into a tree of plain values, from untrusted bytes. Pure. */

import { decodeXML } from 'entities';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { MalformedInputError } from '../../../base/errors.ts';

/** An element: its text, or its elements by name where it has some. */
export type XmlValue = string | XmlElement;

export interface XmlElement {
  [name: string]: XmlValue | XmlValue[];
}

const DECLARED = /^\s*<\?xml[^>]{0,200}?\bencoding\s*=\s*["']([\w.:-]{1,40})["']/;
const HEAD_BYTES = 256;

/**
 * Decodes a document in the encoding that it declares, or UTF-8.
 * @throws {MalformedInputError} the encoding is not known, or the bytes are not in it.
 */
export function xmlTextFromBytes(bytes: Uint8Array): string {
  const head = Buffer.from(bytes.subarray(0, HEAD_BYTES)).toString('latin1');
  const encoding = DECLARED.exec(head.replace(/^\xef\xbb\xbf/, ''))?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new MalformedInputError(`the XML is not in its encoding, ${encoding}`, { cause });
  }
}

// Entities are not expanded by the library: its own limits come after memory is taken.
const parser = new XMLParser({
  processEntities: false,
  parseTagValue: false,
  parseAttributeValue: false,
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  ignoreDeclaration: true,
  ignorePiTags: true,
});

/**
 * Parses a whole document. Elements with text and attributes are `{ '#text', '@name' }`.
 * @throws {MalformedInputError} it is not well-formed, is nested too deeply, or declares a
 *   document type, which entity bombs need.
 */
export function parseXml(text: string): XmlElement {
  if (/<!DOCTYPE|<!ENTITY/i.test(text)) {
    throw new MalformedInputError('the XML declares a document type, which is refused');
  }
  try {
    const document: XmlElement = parser.parse(text);
    const validity = XMLValidator.validate(text);
    if (validity !== true) throw new Error(validity.err.msg.slice(0, 200));
    return document;
  } catch (cause) {
    const message = (cause as Error).message;
    throw new MalformedInputError(`the XML is not well-formed: ${message}`, { cause });
  }
}

/** Returns all direct elements of a name; empty where there are none. */
export function elementsOf(within: XmlValue | undefined, name: string): XmlValue[] {
  if (typeof within !== 'object' || !Object.hasOwn(within, name)) return [];
  return [within[name]].flat();
}

/** Returns the first element at the end of a path of names. */
export function elementAt(within: XmlValue | undefined, ...path: string[]): XmlValue | undefined {
  return path.reduce<XmlValue | undefined>((element, name) => elementsOf(element, name)[0], within);
}

/** Returns the trimmed text of an element, entities decoded; undefined where it has none. */
export function textOf(element: XmlValue | undefined): string | undefined {
  const text = typeof element === 'object' ? elementsOf(element, '#text')[0] : element;
  return typeof text === 'string' ? decodeXML(text).trim() || undefined : undefined;
}
