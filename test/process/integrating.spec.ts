import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Integrator, PAGE } from '../support/integrator.js';
import { createApiUser, runProgram, type ServiceProcess, startServiceProcess } from '../support/service-process.js';
import type { Login } from '../support/test-app.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { openFlakyProxy, type FlakyProxy } from '../support/flaky-proxy.js';

const LOGIN: Login = ['api', 'an afternoon is enough'];
const missing = ['curl', 'python3'].filter((program) => spawnSync(program, ['--version']).error !== undefined);

let database: TestDatabase;
let service: ServiceProcess;
let proxy: FlakyProxy;
let integrator: Integrator;

beforeAll(async () => {
  database = await createTestDatabase();
  await createApiUser({ DATABASE_URL: database.url }, LOGIN[1]);
  service = await startServiceProcess({ DATABASE_URL: database.url, CHURCH_TIME_ZONE: 'America/Chicago' });
  // Calls of Node and Python: the curl commands do not retry.
  proxy = await openFlakyProxy(service.url, /^node|^Python/);
  integrator = new Integrator(proxy.url, ['api', await tokenOf({ DATABASE_URL: database.url })]);
});
afterAll(async () => {
  integrator.leave();
  await proxy.close();
  await service.end('SIGTERM');
  await database.drop();
});

/** What the page recommends in place of the password: programs and commands use it. */
async function tokenOf(variables: Record<string, string>): Promise<string> {
  const { stdout } = await runProgram('cli', ['token', 'create', 'api', '--json'], variables);
  return (JSON.parse(stdout) as { token: string }).token;
}

describe(PAGE, () => {
  it('has programs that type-check', async () => {
    expect(integrator.programs).toEqual(['offertory.ts', 'give.ts', 'reconcile.ts']);
    const options = '--strict --noUncheckedIndexedAccess --noEmit --skipLibCheck --allowImportingTsExtensions';
    const target = '--target es2022 --module nodenext --types node';
    await integrator.run(`node_modules/.bin/tsc ${options} ${target} ${integrator.programs.join(' ')}`);
  });

  (missing.length === 0 ? it : it.skip)(
    'has commands and programs with the results that it states (skipped only without curl or python3)',
    async () => {
      const printed: string[] = [];
      for (const command of integrator.commands) printed.push(await integrator.run(command));
      const books = await database.query(
        `SELECT giver_last AS giver, amount, status, transaction_id AS id FROM contribution
         WHERE reverses_id IS NULL ORDER BY contribution.id`,
      );
      expect(books).toEqual([
        { giver: 'Appleseed', amount: '10.00', status: 1, id: 'T-1001' },
        { giver: 'Appleseed', amount: '5.00', status: 0, id: null },
        { giver: 'López', amount: '25.50', status: 1, id: 'T-1002' },
        { giver: 'Weiß', amount: '30.00', status: 1, id: 'T-1003' },
      ]);
      // An unavailable service and a cut connection, in TypeScript and in Python: each gift is still recorded once.
      expect(proxy.failed()).toBe(4);
      expect(JSON.parse(printed[0] ?? '')).toMatchObject({ funds: [{ fundId: 1 }] });
      expect(printed[2]).toMatch(/Idempotency-Replayed: true/i);
      expect(JSON.parse(printed[3] ?? '')).toMatchObject({ wouldCreate: false });
      expect(JSON.parse(printed[4] ?? '')).toMatchObject({ funds: [{ fundId: 1, name: 'General' }] });
      const reconciled = printed.filter((_output, index) => integrator.commands[index]?.includes('reconcile') === true);
      expect(reconciled).toEqual(Array.from({ length: 2 }, () => '9 entries, 5.00 net of reversals\n'));
      expect(JSON.parse(printed.at(-1) ?? '')).toMatchObject({ contributions: [], more: false });
    },
  );
});
