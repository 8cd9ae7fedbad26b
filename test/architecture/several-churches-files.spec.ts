import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { interpolate } from '../../scripts/container-check/compose-files.mjs';

const ROOT = new URL('../../', import.meta.url).pathname;
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

interface Service {
  readonly image?: string;
  readonly network_mode?: string;
  readonly container_name?: string;
  readonly networks?: unknown;
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly tmpfs?: readonly string[];
  readonly working_dir?: string;
  readonly restart?: string;
  readonly logging?: object;
}

interface ComposeFile {
  readonly name: string;
  readonly services: Readonly<Record<string, Service>>;
  readonly volumes?: Readonly<Record<string, object | null>>;
  readonly networks?: Readonly<Record<string, object | null>>;
}

const SECRETS = { POSTGRES_PASSWORD: 'a1', OWNER_PASSWORD: 'b2', SERVICE_PASSWORD: 'c3' };
const compose = (file: string, variables: Readonly<Record<string, string>> = {}): ComposeFile =>
  parse(interpolate(read(file), { ...SECRETS, ...variables }), { merge: true }) as ComposeFile;

const COMPOSE_FILES = readdirSync(ROOT).filter((name) => /^docker-compose.*\.yml$/.test(name));
const ONE = 'Caddyfile';
const SEVERAL = 'deploy/several-churches/Caddyfile';
const SNIPPETS = 'deploy/church.caddy';

/** What a Caddyfile imports from files, as paths in the repository. */
const importsOf = (file: string): string[] =>
  [...read(file).matchAll(/^import (\S+\.caddy)$/gm)].map(([, path = '']) => normalize(join(dirname(file), path)));

describe('docker-compose.proxy.yml', () => {
  const { services, volumes = {} } = compose('docker-compose.proxy.yml');
  const proxy = services['proxy'] ?? {};
  const single = compose('docker-compose.yml').services;

  it('has one container, as safe as the one of a single church, of the same version', () => {
    expect(Object.keys(services)).toEqual(['proxy']);
    const safe = ['image', 'restart', 'read_only', 'cap_drop', 'cap_add', 'security_opt'];
    const pick = (service: object): object =>
      Object.fromEntries(Object.entries(service).filter(([key]) => safe.includes(key)));
    expect(Object.keys(pick(proxy))).toHaveLength(safe.length);
    expect(pick(proxy)).toEqual(pick(single['tls'] ?? {}));
    expect(proxy.logging).toEqual(single['api']?.logging);
  });

  it('is the only one in the network of the machine, where it publishes no port of its own', () => {
    for (const file of COMPOSE_FILES) {
      const modes = Object.entries(compose(file).services).filter(([, { network_mode }]) => network_mode !== undefined);
      expect([file, modes.map(([name]) => name)]).toEqual([file, file === 'docker-compose.proxy.yml' ? ['proxy'] : []]);
    }
    expect(proxy).toMatchObject({ network_mode: 'host' });
    expect(proxy.ports).toBeUndefined();
    // Caddy's port for administrators would be one of the machine.
    expect(read(SEVERAL)).toContain(`admin unix/${proxy.tmpfs?.[0] ?? 'no tmpfs'}/`);
  });

  it('mounts what its Caddyfile imports, and the directory of the churches, which git ignores', () => {
    const [inContainer = '', ...rest] = [proxy.working_dir].flatMap((path) => path ?? []);
    expect(rest).toEqual([]);
    const mounts = (proxy.volumes ?? []).map((volume) => volume.split(':'));
    const ours = mounts.filter(([source = '']) => source.startsWith('./'));
    for (const [source = '', target, options] of ours)
      expect([source, target, options]).toEqual([source, source.replace('.', '/etc/caddy'), 'ro']);
    for (const path of [...importsOf(SEVERAL), SEVERAL])
      expect([path, ours.some(([source = '']) => path.startsWith(`${source.slice(2)}/`))]).toEqual([path, true]);
    expect(inContainer).toBe(`/etc/caddy/${dirname(SEVERAL)}`);
    expect(read('.gitignore').split('\n')).toContain('/sites/');
    for (const [source = ''] of mounts.filter(([name = '']) => !name.startsWith('./')))
      expect(volumes).toHaveProperty(source);
  });
});

describe('the Caddyfiles', () => {
  it.each([ONE, SEVERAL])('%s takes all that it does from church.caddy', (file) => {
    expect(importsOf(file)).toContain(SNIPPETS);
    expect(read(file)).not.toMatch(/reverse_proxy|transport|request_body|Strict-Transport|handle_errors/);
    const defined = [...read(SNIPPETS).matchAll(/^\(([\w-]+)\) \{$/gm)].map(([, name]) => name);
    const used = [...`${read(file)}${read(SNIPPETS)}`.matchAll(/^\s*import ([\w-]+)(?: |$)/gm)].map(([, name]) => name);
    expect(used.filter((name) => !defined.includes(name))).toEqual([]);
    expect(used).toContain('strangers');
  });

  it('find church.caddy in each container that has the one for a single church', () => {
    for (const file of COMPOSE_FILES) {
      for (const { volumes = [] } of Object.values(compose(file).services)) {
        if (!volumes.includes('./Caddyfile:/etc/caddy/Caddyfile:ro')) continue;
        expect(volumes).toContain(`./${SNIPPETS}:/etc/caddy/${importsOf(ONE)[0] ?? ''}:ro`);
      }
    }
  });

  it('know what the page writes into the files of churches', () => {
    const page = read('docs/several-churches.md');
    const lines = [...page.matchAll(/^(?:echo ')?(import .*?)(?:' >.*)?$/gm)].map(([, line = '']) => line);
    expect(lines.length).toBeGreaterThan(4);
    for (const line of lines)
      expect(line).toMatch(
        /^import (?:strangers|church\.caddy|(?:church|test-system) [\w.-]+\.example(?:\.org)? 127\.0\.0\.1:\d+)$/,
      );
  });
});

describe('two churches of docker-compose.yml', () => {
  const of = (name: string, port: string): ComposeFile =>
    compose('docker-compose.yml', { COMPOSE_PROJECT_NAME: name, PORT: port, TEST_PORT: `${port}1` });
  const [grace, hope] = [of('grace', '3001'), of('hope', '3002')];
  const images = ({ services }: ComposeFile): string[] =>
    ['api', 'migrate', 'test', 'test-migrate'].map((name) => services[name]?.image ?? '');
  const ports = ({ services }: ComposeFile): string[] => ['api', 'test'].flatMap((name) => services[name]?.ports ?? []);

  it('have an image of their own, and one church has that of its project', () => {
    expect(images(grace)).toEqual(Array(4).fill('grace'));
    expect(images(hope)).toEqual(Array(4).fill('hope'));
    expect(images(compose('docker-compose.yml'))).toEqual(Array(4).fill('offertory'));
  });

  it('publish their services on the loopback address only, at the ports of their .env', () => {
    expect(ports(grace)).toEqual(['127.0.0.1:3001:3000', '127.0.0.1:30011:3000']);
    expect(ports(hope)).toEqual(['127.0.0.1:3002:3000', '127.0.0.1:30021:3000']);
  });

  it('share no container, volume or network: all get their names from the project', () => {
    expect(Object.values(grace.volumes ?? {}).filter((volume) => volume !== null)).toEqual([]);
    expect(grace.networks).toBeUndefined();
    for (const service of Object.values(grace.services)) {
      expect(service.container_name).toBeUndefined();
      expect(service.networks).toBeUndefined();
    }
  });
});
