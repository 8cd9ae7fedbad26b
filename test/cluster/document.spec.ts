import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { pasteWell, type Stage } from '../life/documented-commands.js';
import { type DockerStandIn, standInForDocker } from '../life/stand-in-for-docker.js';
import { Client } from '../support/client.js';
import { freePort } from '../support/free-port.js';
import { noteSecret } from '../support/kept-logs.js';
import { gift } from '../support/test-app.js';
import { ComposeOfProcesses } from './compose-of-processes.js';
import { PASSWORDS, PatroniCluster } from './patroni-cluster.js';
import { missingPrograms, postgresPrograms } from './programs.js';

const ROOT = new URL('../../', import.meta.url).pathname;
const FILES = ['.env.example', 'Caddyfile', 'docker-compose.cluster.yml', 'deploy', 'scripts'];
const PASSWORD = 'as the page says';

/** The blocks of commands of docs/cluster.md with their sections, in its order. */
const BLOCKS = readFileSync(join(ROOT, 'docs/cluster.md'), 'utf8')
  .split(/^#{2,3} /m)
  .flatMap((section) =>
    [...section.matchAll(/^```sh\n([^]*?)^```$/gm)].map(([, block = '']) => [section.split('\n', 1)[0] ?? '', block]),
  ) as [section: string, block: string][];

const whenPossible = missingPrograms.length === 0 ? describe : describe.skip;
whenPossible(
  'docs/cluster.md, its commands unchanged (skipped only without Patroni, etcd, HAProxy or PostgreSQL)',
  () => {
    let cluster: PatroniCluster;
    let compose: ComposeOfProcesses;
    let docker: DockerStandIn;
    let stage: Stage;
    const ids: number[] = [];

    beforeAll(async () => {
      for (const password of Object.values(PASSWORDS)) noteSecret(password);
      cluster = await PatroniCluster.start();
      compose = new ComposeOfProcesses(cluster, { api: await freePort(), api2: await freePort() });
      await compose.createApiUser(PASSWORD);
      docker = await standInForDocker((asked) => compose.answer(asked));
      const directory = mkdtempSync(join(tmpdir(), 'offertory-clone-'));
      for (const name of FILES) cpSync(join(ROOT, name), join(directory, name), { recursive: true });
      const PATH = `${docker.bin}:${postgresPrograms ?? ''}:${process.env['PATH'] ?? ''}`;
      stage = { directory, environment: { PATH, HOME: directory, ...cluster.environmentOfPrograms } };
    });
    afterAll(async () => {
      await compose.end();
      await docker.close();
      await cluster.destroy();
      rmSync(stage.directory, { recursive: true, force: true });
    });

    it.each(BLOCKS)('%s', async (section, block) => {
      const [dump = ''] = block.includes('restore.sh') ? backups() : [];
      const here = block
        .replaceAll('http://127.0.0.1:3000', compose.urlOf('api'))
        .replace(/backups\/offertory-\d\S+\.dump/, `backups/${dump}`);
      const before = (await cluster.primary()).name;
      const output = await pasteWell(`set -eu\n${here}`, stage);
      await cluster.untilComplete();
      if (block.includes('patronictl list')) {
        for (const role of ['Leader', 'Sync Standby', 'Replica']) expect(output).toContain(role);
      }
      if (block.includes('switchover')) expect((await cluster.primary()).name).not.toBe(before);
      // Both services record, and what was recorded before is there.
      for (const name of ['api', 'api2'] as const) {
        const client = new Client(compose.urlOf(name), 'api', PASSWORD);
        const { status, body } = await client.add(gift(`page${ids.length}`));
        expect([section, name, status]).toEqual([section, name, 200]);
        ids.push(Number(body['ContributionId']));
        expect((await client.read(ids[0] ?? 0)).status).toBe(200);
      }
    });

    it('leaves one .env with all secrets, and the file of the cluster', () => {
      const settings = parseEnv(readFileSync(join(stage.directory, '.env'), 'utf8'));
      expect(settings['COMPOSE_FILE']).toBe('docker-compose.cluster.yml');
      for (const name of ['POSTGRES_PASSWORD', 'OWNER_PASSWORD', 'SERVICE_PASSWORD'])
        expect(settings[name]).toMatch(/^[0-9a-f]{48}$/);
    });

    const backups = (): string[] =>
      readdirSync(join(stage.directory, 'backups')).filter((name) => name.endsWith('.dump'));
  },
);
