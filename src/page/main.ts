/** Starts the page. */

import { render } from 'preact';
import { App } from './frame/app.ts';
import { html } from './parts/html.ts';
import { openSession } from './state/key.ts';

// The key leaves the address before anything is drawn or requested.
openSession();
addEventListener('hashchange', openSession);
const page = document.getElementById('page')!;
page.replaceChildren();
render(html`<${App} />`, page);
