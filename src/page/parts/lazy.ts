/** Components whose modules load when they are first shown, so that the first visit does not wait. */

import type { FunctionComponent } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { RequestFailure } from '../state/request.ts';
import { html } from './html.ts';
import { FailureBox, Skeleton } from './states.ts';

interface Place {
  /** Class of the box that stands in until the component is there. */
  box: string;
  /** Lines of its skeleton; default none, for what opens over the page. */
  lines?: number;
}

/**
 * @param subject Named while the modules load, and if they fail.
 * @param load Imports the module.
 */
export function lazy<Props extends object>(
  subject: string,
  load: () => Promise<FunctionComponent<Props>>,
  { box, lines }: Place,
): FunctionComponent<Props> {
  let loaded: FunctionComponent<Props> | undefined;
  return function Lazy(props) {
    const [, render] = useState<object>();
    const [hasFailed, setFailed] = useState(false);
    useEffect(() => {
      if (loaded) return;
      load().then(
        (component) => {
          loaded = component;
          render({});
        },
        () => setFailed(true),
      );
    }, []);
    if (loaded) return html`<${loaded} ...${props} />`;
    if (!hasFailed) {
      return lines
        ? html`<div class=${box}><${Skeleton} label=${subject} lines=${lines} /></div>`
        : null;
    }
    // A newer server has other files: the document names them.
    const failure = new RequestFailure('failed', 'Its files could not be read from the server.');
    return html`<div class=${box}><${FailureBox} failure=${failure} subject=${subject}
      retry=${() => location.reload()} /></div>`;
  };
}
