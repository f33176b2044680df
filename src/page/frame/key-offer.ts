/** Asks before the key of a link replaces the one that the tab is signed in with. */

import { useEffect, useRef } from 'preact/hooks';
import { html } from '../parts/html.ts';
import { declineOffer, modeOfKey, type Session, signIn } from '../state/key.ts';

/** Characters of a key that name it and let nobody in. */
const PREFIX_CHARS = 'svc_test_xyz'.length;

function nameOf(key: string): string {
  return `${key.slice(0, PREFIX_CHARS)}… (${modeOfKey(key) === 'live' ? 'live data' : 'sandbox, synthetic data'})`;
}

export function KeyOffer({ session: { key, offered } }: { session: Session }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (offered) dialog.current?.showModal();
  }, [offered]);
  if (!key || !offered) return null;
  return html`<dialog ref=${dialog} class="dialog" aria-labelledby="offer-title" onClose=${declineOffer}>
    <h2 id="offer-title">Use the key of the link?</h2>
    <p>This tab is signed in with <code>${nameOf(key)}</code>.</p>
    <p>The link has another key: <code>${nameOf(offered)}</code>. It would replace the first one in this tab.</p>
    <p class="row">
      <button type="button" class="main" onClick=${declineOffer}>Stay signed in</button>
      <button type="button" onClick=${() => signIn(offered)}>Use the other key</button>
    </p>
  </dialog>`;
}
