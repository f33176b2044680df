/** Paths and queries as the log may show them: some clients put their key into the URL. */

/** What a key starts with, or as many letters as its secret has, whatever stands before them. */
const KEY_TEXT = /svc_[0-9A-Za-z_]+|[0-9A-Za-z]{33,}/g;

/** A letter, digit or underscore that needed no encoding. */
const NEEDLESS_ESCAPE = /%(3[0-9]|[46][1-9a-f]|[57][0-9a]|5f)/gi;

/** @param target Path and query, undecoded. */
export function maskedTarget(target: string): string {
  const plain = target.includes('%')
    ? target.replace(NEEDLESS_ESCAPE, (_text, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
    : target;
  const masked = plain.replace(KEY_TEXT, '…');
  return masked === plain ? target : masked;
}
