/** A card over the chart that tells more about one of its places; Escape closes it. */

import { useEffect, useRef } from 'preact/hooks';
import { type Children, html } from './html.ts';

interface CardProps {
  label: string;
  /** Class of the card's place, beside `card`. */
  kind?: string;
  /** Pixels from the left edge of the chart. */
  left: number;
  onClose: () => void;
  children?: Children;
}

export function Card({ label, kind = '', left, onClose, children }: CardProps) {
  const card = useRef<HTMLDivElement>(null);
  useEffect(() => card.current?.focus({ preventScroll: true }), []);
  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation();
    if (event.key === 'Escape') onClose();
  };
  return html`<div class=${`card ${kind}`} ref=${card} role="dialog" aria-label=${label} tabIndex=${-1}
      style=${{ left: `${left}px` }} onKeyDown=${onKeyDown}>
    <button type="button" class="plain close" aria-label="Close" onClick=${onClose}>×</button>
    ${children}
  </div>`;
}
