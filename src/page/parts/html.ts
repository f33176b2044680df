/** Markup in templates. Values are text or components, never markup. */

import htm from 'htm';
import { type ComponentChildren, h, type VNode } from 'preact';

type Template = (strings: TemplateStringsArray, ...values: unknown[]) => VNode;

// The package's types describe its CommonJS form.
export const html = (htm as unknown as { bind(create: typeof h): Template }).bind(h);

export type Children = ComponentChildren;
