import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { appendFileSync, copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as prettier from 'prettier';
import { interpolate } from './compose-files.mjs';
import { check } from './steps.mjs';

const FILE = 'docker-compose.yml';
const ROLES = 'docker-compose.roles.yml';
const CLUSTER = 'docker-compose.cluster.yml';
const PROXY = 'docker-compose.proxy.yml';
const OWN_IMAGE = '    image: ${COMPOSE_PROJECT_NAME:-offertory}\n';
const SERVICES = /^ {2}([\w-]+):\n((?: {4}.*\n|\n)+)/gm;

/** The passwords of the two database servers. */
const PASSWORDS = ['', 'TEST_'].flatMap((system) =>
  ['POSTGRES', 'OWNER', 'SERVICE'].map((role) => `${system}${role}_PASSWORD`),
);

/** Checks the compose files with our own reader, and with compose itself if it is installed. */
export async function checkCompose(directory) {
  const text = readFileSync(FILE, 'utf8');
  await check('docker-compose.yml is YAML', () => prettier.format(text, { parser: 'yaml' }));
  await check('the compose file is complete with POSTGRES_PASSWORD', () => {
    const complete = interpolate(text, { POSTGRES_PASSWORD: 'abc123' });
    assert.match(complete, /DATABASE_URL: postgres:\/\/offertory:abc123@postgres:5432\/offertory\n/);
    assert.doesNotMatch(complete, /\$\{/);
  });
  await check('the name of the built image is never pulled', () => {
    for (const file of [FILE, ROLES]) {
      for (const [, service, body] of readFileSync(file, 'utf8').matchAll(SERVICES)) {
        if (body.includes(OWN_IMAGE)) assert.match(body, /^ {4}(build: \.|pull_policy: never)$/m, service);
      }
    }
  });
  await check('the compose file is refused without POSTGRES_PASSWORD, with a helpful message', () => {
    for (const environment of [{}, { POSTGRES_PASSWORD: '' }]) {
      assert.throws(() => interpolate(text, environment), /POSTGRES_PASSWORD: run scripts\/secrets\.sh/);
    }
  });
  await check('only the HTTPS proxy is published outside this host', () => {
    const published = [...text.matchAll(SERVICES)].flatMap(([, service, body]) =>
      [...body.matchAll(/^ {6}- '?(.*:)?(\d+)(\/\w+)?'?$/gm)].map(([, host, port]) => ({ service, host, port })),
    );
    assert.deepEqual([...new Set(published.map(({ service }) => service))].sort(), ['api', 'mail', 'test', 'tls']);
    const open = published.filter(({ host }) => !host?.startsWith('127.0.0.1:'));
    assert.deepEqual([...new Set(open.map(({ service }) => service))], ['tls']);
  });
  await check('the test system cannot reach the books, and the service cannot reach the test system', () => {
    const passwords = Object.fromEntries(PASSWORDS.map((name) => [name, name.toLowerCase()]));
    const bodies = [...interpolate(text, passwords).matchAll(SERVICES)].map(([, service, body]) => ({ service, body }));
    for (const { service, body } of bodies) {
      const isOfTest = /^test(-|$)/.test(service);
      const others = PASSWORDS.filter((name) => name.startsWith('TEST_') !== isOfTest).map((name) =>
        name.toLowerCase(),
      );
      for (const word of others) assert.doesNotMatch(body, new RegExp(`[:/ ]${word}\\b`), `${service} knows ${word}`);
      assert.doesNotMatch(body, isOfTest ? /@postgres:/ : /@test-postgres:/, service);
      if (isOfTest) assert.match(body, /^ {4}profiles: \[test\]$/m, service);
    }
  });
  await checkByCompose(directory);
}

async function checkByCompose(directory) {
  if (spawnSync('docker', ['compose', 'version']).status !== 0) {
    console.log('--    docker compose is not installed: not checked with it');
    return;
  }
  // A new directory, as for an operator who follows the first line of the file, without the .env of this one.
  mkdirSync(directory);
  for (const file of [FILE, ROLES, CLUSTER, PROXY]) copyFileSync(file, join(directory, file));
  copyFileSync('.env.example', join(directory, '.env'));
  const config = (POSTGRES_PASSWORD) =>
    spawnSync('docker', ['compose', '--profile', 'dev', '--profile', 'tls', '--profile', 'test', 'config'], {
      cwd: directory,
      env: { ...process.env, POSTGRES_PASSWORD },
      encoding: 'utf8',
    });
  await check('docker compose accepts the file with POSTGRES_PASSWORD', () => {
    const { status, stderr } = config('abc123');
    assert.equal(status, 0, stderr);
  });
  await check(
    'docker compose accepts it together with docker-compose.roles.yml, as older .env files name them, and with all passwords',
    () => {
      const args = ['compose', '--file', FILE, '--file', ROLES, 'config'];
      const passwords = { POSTGRES_PASSWORD: 'abc', OWNER_PASSWORD: 'abc', SERVICE_PASSWORD: 'abc' };
      const { status, stderr } = spawnSync('docker', args, {
        cwd: directory,
        env: { ...process.env, ...passwords },
        encoding: 'utf8',
      });
      assert.equal(status, 0, stderr);
    },
  );
  await check(`docker compose accepts ${CLUSTER} with all passwords`, () => {
    const { status, stderr } = spawnSync('docker', ['compose', '--file', CLUSTER, '--profile', 'tls', 'config'], {
      cwd: directory,
      env: { ...process.env, POSTGRES_PASSWORD: 'abc', OWNER_PASSWORD: 'abc', SERVICE_PASSWORD: 'abc' },
      encoding: 'utf8',
    });
    assert.equal(status, 0, stderr);
  });
  await check(`docker compose accepts ${PROXY}`, () => {
    const { status, stderr } = spawnSync('docker', ['compose', '--file', PROXY, 'config'], {
      cwd: directory,
      encoding: 'utf8',
    });
    assert.equal(status, 0, stderr);
  });
  await check('docker compose refuses the file without POSTGRES_PASSWORD', () => {
    const { status, stderr } = config('');
    assert.notEqual(status, 0);
    assert.match(stderr, /secrets\.sh/);
  });
  await check('COMPOSE_PROJECT_NAME in .env gives each church containers, volumes and an image of its own', () => {
    appendFileSync(join(directory, '.env'), '\nPOSTGRES_PASSWORD=abc\nCOMPOSE_PROJECT_NAME=grace\n');
    const { status, stdout, stderr } = spawnSync('docker', ['compose', 'config', '--format', 'json'], {
      cwd: directory,
      encoding: 'utf8',
    });
    assert.equal(status, 0, stderr);
    const { name, services, volumes } = JSON.parse(stdout);
    assert.deepEqual([name, services.api.image, volumes.database.name], ['grace', 'grace', 'grace_database']);
  });
}

/** Validates the Caddyfiles with Caddy, if it is installed. */
export async function checkCaddyfiles() {
  for (const file of ['Caddyfile', 'deploy/several-churches/Caddyfile']) {
    const validate = ['validate', '--adapter', 'caddyfile', '--config', file];
    const { error, status, stderr } = spawnSync('caddy', validate, { encoding: 'utf8' });
    if (error !== undefined) console.log(`--    caddy is not installed: ${file} is not checked`);
    else await check(`caddy accepts ${file}`, () => assert.equal(status, 0, stderr));
  }
}
