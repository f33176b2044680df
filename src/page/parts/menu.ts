/** A button that opens a small panel below it; Escape and a click elsewhere close it. */

import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { type Children, html } from './html.ts';

interface MenuProps {
  label: string;
  /** Marks the button, so that a problem inside is seen from outside. */
  hasProblem?: boolean;
  children?: Children;
}

export function Menu({ label, hasProblem, children }: MenuProps) {
  const menu = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(false);
  useLayoutEffect(() => {
    if (!isOpen) return;
    const close = (event: Event) => {
      if (!menu.current?.contains(event.target as Node)) setOpen(false);
    };
    addEventListener('pointerdown', close);
    addEventListener('focusin', close);
    return () => {
      removeEventListener('pointerdown', close);
      removeEventListener('focusin', close);
    };
  }, [isOpen]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || !isOpen) return;
    event.stopPropagation();
    setOpen(false);
    menu.current?.querySelector('button')?.focus();
  };
  return html`<div class="menu" ref=${menu} onKeyDown=${onKeyDown}>
    <button type="button" aria-expanded=${isOpen} onClick=${() => setOpen(!isOpen)}>
      ${label}${hasProblem && html`<span class="problem" title="Some could not be loaded"> !</span>`}<span class="caret" aria-hidden="true">▾</span></button>
    ${isOpen && html`<div class="menu-panel" role="group" aria-label=${label}>${children}</div>`}
  </div>`;
}
