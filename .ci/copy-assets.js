/** Copies into `dist` what the package needs and the compiler leaves out. */

import { cpSync } from 'node:fs';

const swagger = ['swagger-ui.css', 'swagger-ui-bundle.js', 'LICENSE', 'NOTICE'];

for (const name of swagger) {
  cpSync(`node_modules/swagger-ui-dist/${name}`, `dist/src/api/docs/swagger-ui/${name}`);
}

const own = [
  'bench/command/peers/python-driver.py',
  'bench/command/screens/polars-screens.py',
  'src/ingest/vendors/sec/sample',
];

for (const path of own) cpSync(path, `dist/${path}`, { recursive: true });
