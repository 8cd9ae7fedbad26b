import { expect, it } from '@jest/globals';
import { DATABASE_ACTIONS } from '../../src/database/index.js';
import { AUDIT_ACTIONS } from '../../src/parts.js';
import { sourceExports } from '../support/source-exports.js';

/** The actions that the audit-actions.ts files of all parts declare. */
async function declaredActions(): Promise<string[]> {
  const exports = await sourceExports((file) => file.endsWith('audit-actions.ts'));
  return exports
    .filter((actions) => typeof actions === 'object' && actions !== null && !Array.isArray(actions))
    .flatMap((actions) => Object.values(actions as object) as string[]);
}

it('AUDIT_ACTIONS lists the actions of every part, each once', async () => {
  const declared = [...(await declaredActions()), ...DATABASE_ACTIONS];
  expect(declared.length).toBeGreaterThan(20);
  expect([...AUDIT_ACTIONS].sort()).toEqual(declared.sort());
  expect(new Set(AUDIT_ACTIONS).size).toBe(AUDIT_ACTIONS.length);
});
