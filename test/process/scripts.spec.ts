import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { readConfiguration } from '../../src/config/index.js';

const ROOT = new URL('../../', import.meta.url).pathname;
const SCRIPTS = ['backup.sh', 'database-roles.sh', 'database-roles.sql', 'pin-images.sh', 'secrets.sh'];
const FILES = [
  ...['.env.example', 'Caddyfile', 'deploy/church.caddy', 'deploy/cluster/haproxy.cfg'],
  ...['Dockerfile', 'docker-compose.yml', 'docker-compose.proxy.yml'],
];
const SECRETS = [
  ...['POSTGRES_PASSWORD', 'OWNER_PASSWORD', 'SERVICE_PASSWORD', 'LOGIN_SECRET'],
  ...['TEST_POSTGRES_PASSWORD', 'TEST_OWNER_PASSWORD', 'TEST_SERVICE_PASSWORD', 'TEST_LOGIN_SECRET'],
] as const;

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'offertory-scripts-'));
  for (const name of ['scripts', 'bin']) mkdirSync(join(directory, name));
  mkdirSync(join(directory, 'deploy/cluster'), { recursive: true });
  for (const name of FILES) copyFileSync(join(ROOT, name), join(directory, name));
  for (const name of SCRIPTS) copyFileSync(join(ROOT, 'scripts', name), join(directory, 'scripts', name));
});
afterEach(() => {
  rmSync(directory, { recursive: true });
});

const path = (name: string): string => join(directory, name);
const mode = (name: string): number => statSync(path(name)).mode & 0o777;
const environment = (): Record<string, string | undefined> => parseEnv(readFileSync(path('.env'), 'utf8'));

/** Runs a script with the loosest umask, and `docker` as a shell script. */
function run(script: string, args: readonly string[] = [], docker = 'exit 1'): { code: number | null; output: string } {
  writeFileSync(path('bin/docker'), `#!/bin/sh\n${docker}\n`);
  chmodSync(path('bin/docker'), 0o755);
  const { status, stdout, stderr } = spawnSync('sh', ['-c', 'umask 0; exec sh "$0" "$@"', path(script), ...args], {
    cwd: directory,
    env: { PATH: `${path('bin')}:/usr/bin:/bin` },
    encoding: 'utf8',
  });
  return { code: status, output: stdout + stderr };
}

describe('scripts/secrets.sh', () => {
  it('creates .env for its owner only, with different passwords that need no escaping', () => {
    expect(run('scripts/secrets.sh')).toEqual({
      code: 0,
      output: SECRETS.map((name) => `${name} was added to .env.\n`).join(''),
    });
    expect(mode('.env')).toBe(0o600);
    const secrets = SECRETS.map((name) => environment()[name]);
    for (const secret of secrets) expect(secret).toMatch(/^[0-9a-f]{48}$/);
    expect(new Set(secrets).size).toBe(SECRETS.length);
    expect(readConfiguration(environment(), { defaultDataDir: '/' }).loginSecret).toBe(secrets[3]);
    // Nothing else differs from the example, and no other file is left.
    const blank = (text: string): string =>
      text.replaceAll(/^#?((?:TEST_)?(?:(?:POSTGRES|OWNER|SERVICE)_PASSWORD|LOGIN_SECRET))=.*$/gm, '$1=');
    expect(blank(readFileSync(path('.env'), 'utf8'))).toBe(blank(readFileSync(path('.env.example'), 'utf8')));
    expect(readdirSync(directory).filter((name) => name.startsWith('.env'))).toEqual(['.env', '.env.example']);
  });

  it('adds to an .env from before there were roles what it lacks, and changes nothing else', () => {
    writeFileSync(
      path('.env'),
      "POSTGRES_PASSWORD=yesterday\nCHURCH_NAME='Grace Church'\nLOGIN_SECRET_FILE=/secret\n",
      {
        mode: 0o644,
      },
    );
    const added = SECRETS.filter((name) => name !== 'POSTGRES_PASSWORD' && name !== 'LOGIN_SECRET');
    expect(run('scripts/secrets.sh').output).toBe(added.map((name) => `${name} was added to .env.\n`).join(''));
    expect(mode('.env')).toBe(0o600);
    expect(environment()).toEqual({
      POSTGRES_PASSWORD: 'yesterday',
      CHURCH_NAME: 'Grace Church',
      LOGIN_SECRET_FILE: '/secret',
      ...Object.fromEntries(added.map((name) => [name, expect.stringMatching(/^[0-9a-f]{48}$/)])),
    });
    const before = readFileSync(path('.env'), 'utf8');
    expect(run('scripts/secrets.sh')).toEqual({ code: 0, output: '' });
    expect(readFileSync(path('.env'), 'utf8')).toBe(before);
  });

  it('keeps .env a link', () => {
    writeFileSync(path('elsewhere'), 'POSTGRES_PASSWORD=yesterday\n');
    symlinkSync('elsewhere', path('.env'));
    expect(run('scripts/secrets.sh').code).toBe(0);
    expect(lstatSync(path('.env')).isSymbolicLink()).toBe(true);
    expect(mode('elsewhere')).toBe(0o600);
    expect(environment()).toMatchObject({ POSTGRES_PASSWORD: 'yesterday', OWNER_PASSWORD: expect.any(String) });
  });
});

describe('scripts/database-roles.sh', () => {
  it('warns without both passwords, and refuses one of them', () => {
    const roles = (variables: Record<string, string>): { status: number | null; stdout: string; stderr: string } =>
      spawnSync('sh', [path('scripts/database-roles.sh')], { env: variables, encoding: 'utf8' });
    expect(roles({ OWNER_PASSWORD: '' })).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^WARNING: The service uses the superuser.*\n.*scripts\/secrets\.sh/),
    });
    for (const name of ['OWNER_PASSWORD', 'SERVICE_PASSWORD'])
      expect(roles({ [name]: 'one' })).toMatchObject({ status: 1, stderr: expect.stringContaining('Set both') });
  });
});

describe('scripts/backup.sh', () => {
  it('writes a file that only its owner may read', () => {
    const { code, output } = run('scripts/backup.sh', [], 'echo a dump');
    expect({ code, output }).toEqual({ code: 0, output: expect.stringMatching(/backups\/offertory-\S+\.dump\n$/) });
    const [name = ''] = readdirSync(path('backups'));
    expect([mode('backups'), mode(`backups/${name}`)]).toEqual([0o700, 0o600]);
  });

  it('does not write through a link that somebody has put in the place of the incomplete file', () => {
    mkdirSync(path('shared'));
    writeFileSync(path('victim'), 'untouched');
    // The name contains the second in which the script runs.
    const now = Date.now();
    for (let second = -1; second < 20; second++) {
      const name = new Date(now + second * 1_000 - new Date().getTimezoneOffset() * 60_000).toISOString();
      symlinkSync(path('victim'), path(`shared/offertory-${name.slice(0, 19).replaceAll(/:/g, '')}.dump.part`));
    }
    const { code, output } = run('scripts/backup.sh', [path('shared')], 'echo a dump');
    expect(output).toContain('There is no new backup');
    expect(code).not.toBe(0);
    expect(readFileSync(path('victim'), 'utf8')).toBe('untouched');
  });
});

describe('scripts/pin-images.sh', () => {
  const OWN_IMAGE = '${COMPOSE_PROJECT_NAME:-offertory}';
  const DIGEST = `sha256:${'0123456789abcdef'.repeat(4)}`;

  it('adds the digest to each image but our own', () => {
    const docker = `[ "$1 $2 $3" = "buildx imagetools inspect" ] && echo ${DIGEST}`;
    const pinnedFiles = ['Dockerfile', 'docker-compose.yml', 'docker-compose.proxy.yml'];
    expect(run('scripts/pin-images.sh', pinnedFiles, docker).code).toBe(0);
    for (const name of pinnedFiles) {
      const pinned = readFileSync(path(name), 'utf8');
      expect(pinned.replaceAll(`@${DIGEST}`, '')).toBe(readFileSync(join(ROOT, name), 'utf8'));
      const images = [...pinned.matchAll(/^(?:FROM| +image:) (\S+)/gm)].map(([, image]) => image);
      expect(images.filter((image) => image !== OWN_IMAGE && !image?.endsWith(DIGEST))).toEqual([]);
    }
  });

  it('fails for an image without a digest', () => {
    expect(run('scripts/pin-images.sh', ['Dockerfile'], 'echo null').code).toBe(1);
    expect(readFileSync(path('Dockerfile'), 'utf8')).toBe(readFileSync(join(ROOT, 'Dockerfile'), 'utf8'));
  });
});
