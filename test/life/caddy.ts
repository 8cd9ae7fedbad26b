import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type IncomingMessage, request as requestPlain } from 'node:http';
import { request as requestSecure, type RequestOptions } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { freePort } from '../support/free-port.js';
import { until } from '../support/until.js';

/** An answer of the proxy. */
export interface ProxyAnswer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
}

/** A running Caddy with the repository's Caddyfile. */
export interface Proxy {
  /** Over HTTPS; the certificate is checked. */
  readonly secure: (path: string, options?: RequestOptions, body?: string | Buffer) => Promise<ProxyAnswer>;
  readonly port: number;
  /** The authority of its certificate. */
  readonly ca: string;
  /** Over plain HTTP. */
  readonly plain: (path: string, options?: RequestOptions, body?: string | Buffer) => Promise<ProxyAnswer>;
  stop(): Promise<void>;
}

/** Whether Caddy is installed; CI installs it with .ci/install-proxies. */
export const caddyIsThere = spawnSync('caddy', ['version']).status === 0;

const CADDYFILE = new URL('../../Caddyfile', import.meta.url);
const SNIPPETS = new URL('../../deploy/church.caddy', import.meta.url).pathname;
const UNUSED_PORT = 9;
const CA = 'pki/authorities/local/root.crt';

/** The ports of what the Caddyfile names. By default nothing listens at the others. */
export interface Upstreams {
  readonly api: number;
  /** With it, Caddy is started as docker-compose.cluster.yml does: in front of two services. */
  readonly api2?: number;
  /** Of the test system. */
  readonly test?: number;
}

/**
 * Starts Caddy as compose does, but on high ports of this host, with a certificate that it signs itself, and in
 * front of the services at these ports. Nothing else of the Caddyfile is changed.
 */
export async function startProxy(upstreams: Upstreams): Promise<Proxy> {
  const directory = mkdtempSync(join(tmpdir(), 'offertory-caddy-'));
  const [http, https] = [await freePort(), await freePort()];
  writeFileSync(join(directory, 'Caddyfile'), caddyfile({ directory, http, https, upstreams }));
  const child = spawn('caddy', ['run', '--config', join(directory, 'Caddyfile'), '--adapter', 'caddyfile'], {
    env: {
      ...{ PATH: process.env['PATH'], HOME: directory, XDG_DATA_HOME: directory, XDG_CONFIG_HOME: directory },
      ...(upstreams.api2 !== undefined && { CHURCH_SITE: 'church-with-two-services' }),
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  process.once('exit', () => child.kill('SIGKILL'));
  let log = '';
  child.stderr.on('data', (chunk: Buffer) => (log += chunk.toString()));
  let ca = '';
  const secure: Proxy['secure'] = (path, options = {}, body) =>
    exchange(requestSecure({ ...options, host: 'localhost', family: 4, port: https, path, ca, agent: false }), body);
  try {
    await until(async () => {
      if (child.exitCode !== null) throw new Error(`Caddy ended: ${log}`);
      ca = tryToRead(join(directory, 'data', CA));
      return ca !== '' && (await secure('/').catch(() => undefined)) !== undefined;
    }, 30_000);
  } catch (error) {
    child.kill('SIGKILL');
    throw error;
  }
  return {
    secure,
    port: https,
    ca,
    plain: (path, options = {}, body) =>
      exchange(requestPlain({ ...options, host: 'localhost', family: 4, port: http, path, agent: false }), body),
    stop: () => stop(child, directory),
  };
}

interface Places {
  readonly directory: string;
  readonly http: number;
  readonly https: number;
  readonly upstreams: Upstreams;
}

function caddyfile(at: Places): string {
  const { api, api2 = UNUSED_PORT, test = UNUSED_PORT } = at.upstreams;
  const changes = [
    ['import deploy/church.caddy', `import ${SNIPPETS}`],
    ...Object.entries({ api, api2, test }).map(([name, port]) => [`${name}:3000`, `127.0.0.1:${port}`]),
  ] as const;
  let text = readFileSync(CADDYFILE, 'utf8');
  for (const [named = '', ours = ''] of changes) {
    if (text.split(named).length !== 2) throw new Error(`The Caddyfile must name ${named} exactly once`);
    text = text.replace(named, ours);
  }
  const options = [
    'admin off',
    'skip_install_trust',
    'default_bind 127.0.0.1',
    `http_port ${at.http}`,
    `https_port ${at.https}`,
    `storage file_system ${join(at.directory, 'data')}`,
  ];
  return `{\n${options.map((line) => `\t${line}\n`).join('')}}\n${text}`;
}

function tryToRead(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

async function exchange(request: ReturnType<typeof requestPlain>, body?: string | Buffer): Promise<ProxyAnswer> {
  const answered = once(request, 'response');
  // A server that refuses a long body may close the connection before it has read all of it. Only the answer counts.
  request.on('error', () => undefined);
  request.end(body);
  const [response] = (await answered) as [IncomingMessage];
  const { statusCode: status = 0, headers } = response;
  return { status, headers, text: (await buffer(response)).toString() };
}

async function stop(child: ChildProcess, directory: string): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
  rmSync(directory, { recursive: true, force: true });
}
