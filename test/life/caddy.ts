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
  /** Over plain HTTP. */
  readonly plain: (path: string, options?: RequestOptions, body?: string | Buffer) => Promise<ProxyAnswer>;
  stop(): Promise<void>;
}

/** Whether Caddy is installed; CI installs it with .ci/install-proxies. */
export const caddyIsThere = spawnSync('caddy', ['version']).status === 0;

const CADDYFILE = new URL('../../Caddyfile', import.meta.url);
const SNIPPETS = new URL('../../deploy/church.caddy', import.meta.url).pathname;
/** The service, and the test system. */
const UPSTREAMS = ['api:3000', 'test:3000'] as const;
const CA = 'pki/authorities/local/root.crt';

/**
 * Starts Caddy as compose does, but on high ports of this host, with a certificate that it signs itself, and in
 * front of the service at this port. Nothing else of the Caddyfile is changed.
 * @param testPort that of the test system; by default nothing listens there.
 */
export async function startProxy(servicePort: number, testPort = 9): Promise<Proxy> {
  const directory = mkdtempSync(join(tmpdir(), 'offertory-caddy-'));
  const [http, https] = [await freePort(), await freePort()];
  writeFileSync(join(directory, 'Caddyfile'), caddyfile({ directory, http, https, ports: [servicePort, testPort] }));
  const child = spawn('caddy', ['run', '--config', join(directory, 'Caddyfile'), '--adapter', 'caddyfile'], {
    env: { PATH: process.env['PATH'], HOME: directory, XDG_DATA_HOME: directory, XDG_CONFIG_HOME: directory },
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
    plain: (path, options = {}, body) =>
      exchange(requestPlain({ ...options, host: 'localhost', family: 4, port: http, path, agent: false }), body),
    stop: () => stop(child, directory),
  };
}

interface Places {
  readonly directory: string;
  readonly http: number;
  readonly https: number;
  /** Of each upstream. */
  readonly ports: readonly number[];
}

function caddyfile(at: Places): string {
  const changes = [
    ['import deploy/church.caddy', `import ${SNIPPETS}`],
    ...UPSTREAMS.map((upstream, i) => [` ${upstream}\n`, ` 127.0.0.1:${at.ports[i]}\n`]),
  ] as const;
  let text = readFileSync(CADDYFILE, 'utf8');
  for (const [named = '', ours = ''] of changes) {
    if (text.split(named).length !== 2) throw new Error(`The Caddyfile must name ${named.trim()} exactly once`);
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
