import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The options of Node with which `npm run start:prod` starts the service, such as `--max-semi-space-size=16`.
 * @param root the project directory
 */
export function startOptions(root: string): string[] {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    readonly scripts: { readonly 'start:prod': string };
  };
  // node <options> dist/src/main.js
  return scripts['start:prod'].split(' ').slice(1, -1);
}
