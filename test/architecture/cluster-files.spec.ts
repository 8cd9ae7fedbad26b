import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { interpolate } from '../../scripts/container-check/compose-files.mjs';

const ROOT = new URL('../../', import.meta.url).pathname;
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** A service of a compose file, as far as these tests look at it. */
interface Service {
  readonly image?: string;
  readonly build?: string;
  readonly pull_policy?: string;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly cap_add?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly depends_on?: readonly string[] | Readonly<Record<string, object>>;
  readonly volumes?: readonly string[];
  readonly networks?: readonly string[] | Readonly<Record<string, object>>;
  readonly ports?: readonly string[];
  readonly stop_grace_period?: string;
}

interface ComposeFile {
  readonly services: Readonly<Record<string, Service>>;
  readonly volumes: Readonly<Record<string, unknown>>;
  readonly networks: Readonly<Record<string, { readonly internal?: boolean } | null>>;
}

const FILE = 'docker-compose.cluster.yml';
const SECRETS = { POSTGRES_PASSWORD: 'a1', OWNER_PASSWORD: 'b2', SERVICE_PASSWORD: 'c3' };
const compose = (file = FILE, variables: Readonly<Record<string, string>> = SECRETS): ComposeFile =>
  parse(interpolate(read(file), variables), { merge: true }) as ComposeFile;

const { services, volumes, networks } = compose();
const all = Object.entries(services);
const NODES = ['node1', 'node2', 'node3'];
const namesIn = (list: readonly string[] | Readonly<Record<string, object>> = []): string[] =>
  Array.isArray(list) ? [...(list as readonly string[])] : Object.keys(list);

describe('the containers of a cluster', () => {
  it('are these', () => {
    expect(Object.keys(services).sort()).toEqual(
      ['api', 'api2', 'etcd1', 'etcd2', 'etcd3', 'haproxy', 'migrate', ...NODES, 'postgres', 'roles', 'tls'].sort(),
    );
  });

  it.each(all)(
    '%s is read-only, has no capability beyond what it needs, and names only what exists',
    (name, service) => {
      expect(service).toMatchObject({
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
      });
      expect(service.cap_add ?? []).toEqual(name === 'tls' ? ['NET_BIND_SERVICE'] : []);
      for (const other of namesIn(service.depends_on)) expect(services).toHaveProperty(other);
      for (const network of namesIn(service.networks)) expect(networks).toHaveProperty(network);
      for (const volume of service.volumes ?? []) {
        const [source = ''] = volume.split(':');
        if (source.startsWith('./')) expect([source, existsSync(join(ROOT, source))]).toEqual([source, true]);
        else expect(volumes).toHaveProperty(source);
      }
      if (service.build !== undefined) expect(existsSync(join(ROOT, service.build, 'Dockerfile'))).toBe(true);
      // There is no image of these names to be pulled.
      if (['offertory', 'offertory-node'].includes(service.image ?? ''))
        expect(service.build !== undefined || service.pull_policy === 'never').toBe(true);
    },
  );

  it('are made from exact versions, the same as on one machine', () => {
    const base = /^FROM (.*)$/m.exec(read('deploy/cluster/Dockerfile'))?.[1] ?? '';
    const theirs = all.map(([, { image }]) => image ?? '').filter((image) => !image.startsWith('offertory'));
    for (const image of [base, ...theirs]) expect(image).toMatch(/^[\w./]+:v?\d+\.\d+(\.\d+)?$/);
    const single = compose('docker-compose.yml').services;
    expect(new Set([base, services['postgres']?.image, services['roles']?.image])).toEqual(
      new Set([single['postgres']?.image]),
    );
    expect(services['tls']?.image).toBe(single['tls']?.image);
  });

  it('publish only the proxy to the world', () => {
    const published = all.flatMap(([name, { ports = [] }]) => ports.map((port) => `${name} ${port}`));
    expect(published).toEqual(['api 127.0.0.1:3000:3000', 'tls 80:80', 'tls 443:443', 'tls 443:443/udp']);
  });

  it('keep etcd and the nodes in a network that only HAProxy is in besides', () => {
    expect(networks['cluster']).toEqual({ internal: true });
    const inside = all.filter(([, service]) => namesIn(service.networks).includes('cluster')).map(([name]) => name);
    expect(inside.sort()).toEqual(['etcd1', 'etcd2', 'etcd3', 'haproxy', ...NODES]);
    expect(namesIn(services['haproxy']?.networks).sort()).toEqual(['cluster', 'default']);
    for (const name of inside.filter((one) => one !== 'haproxy'))
      expect(namesIn(services[name]?.networks)).toEqual(['cluster']);
  });

  it('get names and addresses of their own, and the same of everything else', () => {
    const rest = NODES.map((name) => {
      const { PATRONI_NAME, PATRONI_POSTGRESQL_CONNECT_ADDRESS, PATRONI_RESTAPI_CONNECT_ADDRESS, ...others } =
        services[name]?.environment ?? {};
      expect([PATRONI_NAME, PATRONI_POSTGRESQL_CONNECT_ADDRESS, PATRONI_RESTAPI_CONNECT_ADDRESS]).toEqual([
        name,
        `${name}:5432`,
        `${name}:8008`,
      ]);
      expect(services[name]?.volumes).toEqual([`${name}:/var/lib/postgresql`]);
      return others;
    });
    for (const others of rest) expect(others).toEqual(rest[0]);
    const major = /^FROM postgres:(\d+)/m.exec(read('deploy/cluster/Dockerfile'))?.[1] ?? '';
    expect(rest[0]).toMatchObject({
      PATRONI_POSTGRESQL_BIN_DIR: `/usr/lib/postgresql/${major}/bin`,
      PATRONI_POSTGRESQL_DATA_DIR: `/var/lib/postgresql/${major}/node`,
    });
  });

  it('differ between the services in their name only', () => {
    const [one, other] = [services['api'], services['api2']];
    expect(other?.environment).toEqual(one?.environment);
    expect(other?.image).toBe(one?.image);
    expect(other?.networks).toBeUndefined();
    expect(one?.environment).toMatchObject({
      DATABASE_URL: 'postgres://offertory_service:c3@haproxy:5432/offertory',
      POSTGRES_PASSWORD: '',
      OWNER_PASSWORD: '',
      SERVICE_PASSWORD: '',
    });
    // It writes what the one of a single machine writes.
    const single = compose('docker-compose.yml').services['api']?.environment ?? {};
    expect(Object.keys(one?.environment ?? {}).sort()).toEqual([...Object.keys(single), 'DRAIN_SECONDS'].sort());
  });

  it('drain for longer than Caddy takes to notice, and are given the time to end', () => {
    const sites = read('deploy/church.caddy');
    const secondsOf = (name: string): number => Number(new RegExp(`\\b${name} (\\d+)s$`, 'm').exec(sites)?.[1]);
    for (const name of ['api', 'api2']) {
      const drain = Number(services[name]?.environment?.['DRAIN_SECONDS']);
      expect(drain).toBeGreaterThan(secondsOf('health_interval') + secondsOf('health_timeout'));
      expect(parseInt(services[name]?.stop_grace_period ?? '', 10)).toBeGreaterThanOrEqual(drain + 10);
    }
    expect(sites).toContain(`(${services['tls']?.environment?.['CHURCH_SITE'] ?? ''})`);
  });

  it.each(Object.keys(SECRETS))('are refused without %s, and a message says how to make it', (name) => {
    expect(() => compose(FILE, { ...SECRETS, [name]: '' })).toThrow(`${name}: run scripts/secrets.sh`);
  });
});

describe('the files in deploy/cluster', () => {
  it('haproxy.cfg takes each address from a variable that the compose file sets', () => {
    const named = [...read('deploy/cluster/haproxy.cfg').matchAll(/"\$\{(\w+)\}"/g)].map(([, name]) => name);
    expect(named.sort()).toEqual(Object.keys(services['haproxy']?.environment ?? {}).sort());
  });

  it('patroni.yml is YAML that asks for a synchronous standby, and calls a script that the image has', () => {
    const patroni = parse(read('deploy/cluster/patroni.yml')) as {
      readonly bootstrap: { readonly dcs: object; readonly post_bootstrap: string };
    };
    expect(patroni.bootstrap.dcs).toMatchObject({ synchronous_mode: true, synchronous_mode_strict: true });
    const script = patroni.bootstrap.post_bootstrap.split('/').at(-1) ?? '';
    expect(read('deploy/cluster/Dockerfile')).toContain(script);
    expect(existsSync(join(ROOT, 'deploy/cluster', script))).toBe(true);
  });
});
