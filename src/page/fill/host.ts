/** Shows the dialog while a symbol is wanted; its modules load at the first opening. */

import type { FunctionComponent } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { html } from '../parts/html.ts';
import { useStore } from '../state/store.ts';
import { type Wanted, wanted } from './open.ts';

type Dialog = FunctionComponent<{ wish: Wanted; onClose: () => void }>;

export function FillHost() {
  const wish = useStore(wanted);
  const [loaded, setLoaded] = useState<{ dialog: Dialog }>();
  const [hasFailed, setFailed] = useState(false);
  const isWanted = wish !== undefined;
  useEffect(() => {
    if (!isWanted || loaded) return;
    setFailed(false);
    import('./dialog.ts').then(
      ({ FillDialog }) => setLoaded({ dialog: FillDialog }),
      () => setFailed(true),
    );
  }, [isWanted]);
  if (!isWanted) return null;
  if (hasFailed) {
    return html`<p class="notice" role="alert">The files of the dialog could not be read: reload the page.</p>`;
  }
  if (!loaded) return null;
  const close = () => wanted.set(undefined);
  return html`<${loaded.dialog} wish=${wish} onClose=${close} />`;
}
