import { readdirSync, readFileSync } from 'node:fs';
import { type Decision, readDecision } from './decisions-page.js';

/** The decision records of the project in this directory, in order. */
export function readDecisions(root: URL): Decision[] {
  const directory = new URL('docs/adr/', root);
  return readdirSync(directory)
    .filter((file) => /^\d{4}-.+\.md$/.test(file))
    .sort()
    .map((file) => readDecision(file, readFileSync(new URL(file, directory), 'utf8')));
}
