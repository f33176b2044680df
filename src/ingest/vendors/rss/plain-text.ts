/** Converts the HTML of titles and summaries in feeds to plain text. Pure. */

import { decodeHTML } from 'entities';

/** Elements whose content is not text. */
const HIDDEN = ['script', 'style', 'noscript', 'iframe', 'svg'];

const TAG = /^<\/?[a-z][^<>]*>|^<!--|^<[!?][^<>]*>/i;
const TAG_CHARS_MAX = 4000;

/**
 * Removes tags, decodes entities and joins blanks. Time grows linearly with the length.
 *
 * @param charsMax A longer text is cut at a word and ends in `…`.
 */
export function plainText(html: string, charsMax: number): string {
  // The rest may be markup that was escaped twice.
  const text = decodeHTML(withoutTags(decodeHTML(withoutTags(html))))
    .replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ')
    .trim();
  if (text.length <= charsMax) return text.toWellFormed();
  const cut = text.slice(0, charsMax).toWellFormed();
  return `${cut.slice(0, Math.max(cut.lastIndexOf(' '), charsMax / 2)).trimEnd()}…`;
}

function withoutTags(html: string): string {
  let text = '';
  let at = 0;
  while (at < html.length) {
    const open = html.indexOf('<', at);
    if (open < 0) break;
    text += html.slice(at, open);
    const tag = TAG.exec(html.slice(open, open + TAG_CHARS_MAX))?.[0];
    if (tag === undefined) {
      text += '<';
      at = open + 1;
    } else {
      text += ' ';
      at = endOf(html, open, tag);
    }
  }
  return text + html.slice(at);
}

/** Index after the tag, or after the element or comment that it hides; the end if that is open. */
function endOf(html: string, open: number, tag: string): number {
  const name = /^<([a-z]+)/i.exec(tag)?.[1].toLowerCase() ?? '';
  const isHidden = HIDDEN.includes(name) && !tag.endsWith('/>');
  if (!isHidden && tag !== '<!--') return open + tag.length;
  const closing = isHidden ? `</${name}` : '-->';
  const end = html.slice(open + tag.length).search(new RegExp(closing, 'i'));
  if (end < 0) return html.length;
  const close = open + tag.length + end;
  return html.indexOf('>', close) < 0 ? html.length : html.indexOf('>', close) + 1;
}
