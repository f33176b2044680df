/** Shows the dialog while a symbol is wanted. */

import { html } from '../parts/html.ts';
import { lazy } from '../parts/lazy.ts';
import { useStore } from '../state/store.ts';
import { wanted } from './open.ts';

const FillDialog = lazy(
  'the dialog',
  () => import('./dialog.ts').then(({ FillDialog }) => FillDialog),
  { box: 'notice' },
);

export function FillHost() {
  const wish = useStore(wanted);
  if (wish === undefined) return null;
  return html`<${FillDialog} wish=${wish} onClose=${() => wanted.set(undefined)} />`;
}
