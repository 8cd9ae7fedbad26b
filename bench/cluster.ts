// npm run bench:cluster: what it costs that a standby confirms each commit (docs/cluster.md). Needs what test/cluster needs.
import { PatroniCluster } from '../test/cluster/patroni-cluster.js';
import { missingPrograms } from '../test/cluster/programs.js';
import { until } from '../test/support/until.js';
import { assertStatuses, type Call, load, type LoadFigures } from './load.js';
import { runMain } from './main.js';
import { UsageError } from './options.js';
import { runCommand, startService } from './programs.js';
import { type Spread, spreadOf } from './spread.js';
import { count, table } from './table.js';

const ROUNDS = 3;
const SECONDS = 8;
const WARM_UP_SECONDS = 3;
const CONNECTIONS = [1, 8, 32];
const GIVERS = 1_000;
const PASSWORD = 'what do two disks cost';
const HEADERS = {
  'content-type': 'application/json',
  authorization: `Basic ${Buffer.from(`api:${PASSWORD}`).toString('base64')}`,
};
const MODES = ['without', 'with'] as const;

let serial = 0;

/** A gift of a known giver, with a key, as a processor sends it. */
function nextGift(): Call {
  const number = ++serial;
  const giver = number % GIVERS;
  return {
    path: '/Api/AddContribution',
    headers: { ...HEADERS, 'idempotency-key': `cost ${number}` },
    body: JSON.stringify({
      ...{ First: `First${giver}`, Last: `Last${giver}`, Email: `giver${giver}@example.org`, Phone: 'n/a' },
      ...{ Amount: `${(number % 500) + 1}.00`, Source: `n${number}` },
    }),
  };
}

/** Changes whether commits wait for a standby, and waits until the primary knows. */
async function setSynchronous(cluster: PatroniCluster, isSynchronous: boolean): Promise<void> {
  const settings = ['synchronous_mode', 'synchronous_mode_strict'].flatMap((name) => [
    '--set',
    `${name}=${isSynchronous}`,
  ]);
  await cluster.patronictl('edit-config', '--force', ...settings);
  await until(async () => {
    const [row] = await cluster.query<{ names: string }>(
      `SELECT current_setting('synchronous_standby_names') AS names`,
    );
    return (row?.names !== '') === isSynchronous;
  });
}

const figuresOf = (rounds: readonly LoadFigures[]): { perSecond: Spread; p50: Spread; p99: Spread } => ({
  perSecond: spreadOf(rounds.map(({ requestsPerSecond }) => requestsPerSecond)),
  p50: spreadOf(rounds.map(({ p50 }) => p50)),
  p99: spreadOf(rounds.map(({ p99 }) => p99)),
});

await runMain(async (onEnd) => {
  if (missingPrograms.length > 0) throw new UsageError(`Not installed: ${missingPrograms.join(', ')}`);
  const cluster = await PatroniCluster.start();
  onEnd(() => cluster.destroy());
  const create = ['user', 'create', 'api', '--roles', 'Developer,APIOnly,APIWrite', '--password-stdin'];
  await runCommand(create, cluster.variables, PASSWORD);
  const service = await startService(cluster.variables);
  onEnd(() => service.stop());
  const rows: string[][] = [];
  for (const connections of CONNECTIONS) {
    const measured: Record<(typeof MODES)[number], LoadFigures[]> = { without: [], with: [] };
    for (let round = 0; round < ROUNDS; round++) {
      for (const mode of MODES) {
        await setSynchronous(cluster, mode === 'with');
        await load({ url: service.url, connections, seconds: WARM_UP_SECONDS, next: nextGift });
        const figures = await load({ url: service.url, connections, seconds: SECONDS, next: nextGift });
        assertStatuses(figures, [200], mode);
        measured[mode].push(figures);
      }
    }
    for (const mode of MODES) {
      const { perSecond, p50, p99 } = figuresOf(measured[mode]);
      rows.push([
        ...[String(connections), mode, count(Math.round(perSecond.median))],
        ...[p50, p99].map(({ median }) => `${median.toFixed(1)} ms`),
      ]);
    }
  }
  const heads = ['Callers', 'Synchronous standby', 'Gifts a second', 'Median', '99 %'];
  process.stdout.write(`\n${table(heads, rows)}\n`);
  return true;
});
