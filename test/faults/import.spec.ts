import { statSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type GiftFiles, giftFiles } from '../support/gift-file.js';
import { assertInvariantsOfManyRows } from '../support/ledger-invariants.js';
import { type PrivatePostgres, startPrivatePostgres } from '../support/private-postgres.js';
import { createApiUser, type Outcome, type RunningProgram, startProgram } from '../support/service-process.js';
import { until } from '../support/until.js';
import { EXTENT } from './extent.js';

/** The time limit on a busy machine, in milliseconds. */
const TIME_LIMIT = 3_600_000;
/** The highest allowed memory use of the process, in kilobytes. */
const MEMORY_LIMIT = 300_000;

let postgres: PrivatePostgres;
let files: GiftFiles;
beforeAll(async () => {
  postgres = await startPrivatePostgres();
  files = giftFiles();
  await createApiUser({ DATABASE_URL: postgres.url }, 'a file is a lot of gifts');
}, 60_000);
afterAll(async () => {
  await assertInvariantsOfManyRows(postgres);
  files.remove();
  postgres.destroy();
});

/** Makes the program print its maximum RSS at its exit, in kilobytes. */
const PRINT_MEMORY = `process.on('exit', () => process.stderr.write('peak ' + process.resourceUsage().maxRSS + '\\n'))`;

function startImport(path: string, source: string, ...options: string[]): RunningProgram {
  const preload = `--import=data:text/javascript;base64,${Buffer.from(PRINT_MEMORY).toString('base64')}`;
  const args = ['import', path, '--user', 'api', '--source', source, '--json', ...options];
  return startProgram('cli', args, { DATABASE_URL: postgres.url, NODE_OPTIONS: preload });
}

async function count(source: string): Promise<number> {
  const [row] = await postgres.query<{ count: number }>(
    'SELECT count(*)::integer FROM contribution WHERE source = $1',
    [source],
  );
  return row?.count ?? 0;
}

function peakOf({ stderr }: Outcome): number {
  return Number(/^peak (\d+)$/m.exec(stderr)?.[1]);
}

describe('an import', () => {
  it(
    `of ${EXTENT.importedRows} rows records each once when killed midway and run twice more, in bounded memory`,
    async () => {
      const rows = EXTENT.importedRows;
      const path = await files.writeMany('gifts.csv', rows);
      const killed = startImport(path, 'killed');
      await until(async () => (await count('killed')) > rows / 2, TIME_LIMIT);
      killed.kill('SIGKILL');
      await killed.outcome;
      const booked = await count('killed');
      const begin = performance.now();
      const resumed = await startImport(path, 'killed').outcome;
      const resumedIn = performance.now() - begin;
      const again = await startImport(path, 'killed').outcome;
      const againIn = performance.now() - begin - resumedIn;
      expect(JSON.parse(resumed.stdout)).toMatchObject({
        recorded: rows - booked,
        alreadyRecorded: booked,
        refused: 0,
      });
      expect(JSON.parse(again.stdout)).toMatchObject({ rows, recorded: 0, alreadyRecorded: rows, refused: 0 });
      expect(await count('killed')).toBe(rows);
      expect(new Set(files.read(`${path}.result.csv`).map(({ ContributionId }) => ContributionId)).size).toBe(rows);
      process.stdout.write(
        `| import of ${rows} rows, ${(statSync(path).size / 1e6).toFixed(1)} MB | killed with ${booked} booked; the rest ` +
          `in ${(resumedIn / 1_000).toFixed(0)} s; all again in ${(againIn / 1_000).toFixed(0)} s | ` +
          `peak ${Math.round(Math.max(peakOf(resumed), peakOf(again)) / 1_000)} MB |\n`,
      );
      expect(peakOf(resumed)).toBeLessThan(MEMORY_LIMIT);
      expect(peakOf(again)).toBeLessThan(MEMORY_LIMIT);
    },
    TIME_LIMIT,
  );

  it('waits for an unavailable database, and loses and repeats nothing', async () => {
    const path = await files.writeMany('waiting.csv', 2_000);
    const waiting = startImport(path, 'waiting');
    await until(async () => (await count('waiting')) > 200, 60_000);
    postgres.stop('immediate');
    await until(() => waiting.stderr().includes('The database does not answer; waiting up to 60 s.'));
    postgres.start();
    expect(await waiting.outcome).toMatchObject({ code: 0 });
    expect(await count('waiting')).toBe(2_000);
  });

  it('stops when the database stays unavailable, says how to continue, and continues when run again', async () => {
    const path = await files.writeMany('given-up.csv', 2_000);
    const givenUp = startImport(path, 'given up', '--patience', '1');
    await until(async () => (await count('given up')) > 200, 60_000);
    postgres.stop('immediate');
    const { code, stderr } = await givenUp.outcome;
    expect(code).toBe(1);
    expect(stderr).toMatch(/error: Stopped after \d+ of 2000 rows: the database was unavailable for \d+ s/);
    expect(stderr).toContain('Run the same command again to continue');
    postgres.start();
    expect(await startImport(path, 'given up').outcome).toMatchObject({ code: 0 });
    expect(await count('given up')).toBe(2_000);
  });
});
