import { describe, expect, it } from 'vitest';
import { MalformedInputError } from '../../../../src/base/errors.ts';
import {
  elementAt,
  elementsOf,
  parseXml,
  textOf,
  xmlTextFromBytes,
} from '../../../../src/ingest/vendors/shared/parse-xml.ts';

describe('parseXml', () => {
  it('gives elements in their order and their texts with entities decoded', () => {
    const document = parseXml(
      '<?xml version="1.0"?><a><b> x &amp;&#233;&#xE9; </b><b/><b id="7">y</b><c><d>&copy;</d></c></a>',
    );
    const root = elementAt(document, 'a');
    expect(elementsOf(root, 'b').map(textOf)).toEqual(['x &éé', undefined, 'y']);
    expect(textOf(elementAt(root, 'c', 'd'))).toBe('&copy;');
    expect(elementsOf(root, 'none')).toEqual([]);
    expect(textOf(elementAt(root, 'none', 'at', 'all'))).toBeUndefined();
  });

  it('gives attributes', () => {
    const document = parseXml('<a><link href="x?a=1&amp;b=2"/></a>');
    expect(textOf(elementAt(document, 'a', 'link', '@href'))).toBe('x?a=1&b=2');
  });

  it('keeps texts that look like numbers as they are', () => {
    expect(textOf(elementAt(parseXml('<a>0012.50</a>'), 'a'))).toBe('0012.50');
  });

  it.each(['', 'text', '<a>', '<a></b>', '<a>1</a><a>2</a>', '<!DOCTYPE a><a/>'])(
    'refuses %s',
    (text) => {
      expect(() => parseXml(text)).toThrow(MalformedInputError);
    },
  );
});

describe('xmlTextFromBytes', () => {
  it.each([
    ['UTF-8 where nothing is declared', Buffer.from('<a>é</a>')],
    ['a byte-order mark', Buffer.from('\ufeff<a>é</a>')],
    ['ISO-8859-1', Buffer.from('<?xml version="1.0" encoding="ISO-8859-1"?><a>é</a>', 'latin1')],
    [
      'windows-1252',
      Buffer.from("<?xml version='1.0' encoding='windows-1252'?><a>é</a>", 'latin1'),
    ],
  ])('decodes %s', (_what, bytes) => {
    expect(xmlTextFromBytes(bytes)).toMatch(/<a>é<\/a>$/);
  });
});
