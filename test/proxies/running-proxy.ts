import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { IncomingMessage } from 'node:http';
import { freePort } from '../support/free-port.js';
import { until } from '../support/until.js';
import { newCaller, type Site } from './callers.js';
import { NAMES, writeCertificates } from './certificate.js';

/** What a proxy on this machine has in place of what its file in deploy/ names. */
export interface Places {
  readonly directory: string;
  /** The ports in place of 443 and 80. */
  readonly https: number;
  readonly http: number;
  readonly servicePort: number;
  /** Of a second service, if the proxy is in front of two. */
  readonly secondPort?: number;
  /** Where the certificates are, as {@link writeCertificates} lays them out. */
  readonly certificates: string;
  /** The files of the site itself. */
  readonly website: string;
}

/** How a proxy is run with its file of deploy/. */
export interface ProxyKind {
  readonly name: string;
  /** The arguments by which the program prints its version. */
  readonly program: string;
  readonly versionArgs: readonly string[];
  /** Writes the configuration. @returns the arguments with which the program runs in the foreground. */
  configure(places: Places): readonly string[];
  /** The file with the authority of the certificates, if the proxy makes its own. */
  readonly authority?: string;
}

/** A proxy that runs. */
export interface RunningProxy {
  readonly port: number;
  readonly ca: string;
  /** A call over plain HTTP. */
  plain(host: string, path: string): Promise<{ status: number; headers: IncomingMessage['headers']; text: string }>;
  /** Everything that it has logged. */
  log(): string;
  stop(): Promise<void>;
}

/** Debian's servers are in sbin, which is not in the PATH of ordinary users. */
const PATH = `${process.env['PATH'] ?? ''}:/usr/sbin`;

/** Whether the program is installed; CI installs it with .ci/install-proxies. */
export function isInstalled({ program, versionArgs }: ProxyKind): boolean {
  return spawnSync(program, [...versionArgs], { env: { PATH } }).status === 0;
}

/** A file of deploy/ with other names, ports and paths. @throws Error if it does not have one that is to be replaced. */
export function shippedFile(name: string, changes: Readonly<Record<string, string>>): string {
  let content = readFileSync(new URL(`../../deploy/${name}`, import.meta.url), 'utf8');
  for (const [from, to] of Object.entries(changes)) {
    if (!content.includes(from)) throw new Error(`deploy/${name} does not contain ${from}`);
    content = content.replaceAll(from, to);
  }
  return content;
}

/** @param secondPort of a second service, for a proxy that can be in front of two. */
export async function startProxy(kind: ProxyKind, servicePort: number, secondPort?: number): Promise<RunningProxy> {
  const directory = mkdtempSync(join(tmpdir(), 'offertory-proxy-'));
  // Their workers are other users.
  chmodSync(directory, 0o755);
  const website = join(directory, 'website');
  mkdirSync(website);
  writeFileSync(join(website, 'index.html'), 'The site itself');
  const own = writeCertificates(directory);
  const [https, http] = [await freePort(), await freePort()];
  const args = kind.configure({
    ...{ directory, https, http, servicePort, certificates: directory, website },
    ...(secondPort !== undefined && { secondPort }),
  });
  const child = spawn(kind.program, [...args], {
    env: { PATH, HOME: directory, XDG_DATA_HOME: directory, XDG_CONFIG_HOME: directory },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const kill = (): boolean => child.kill('SIGTERM');
  process.once('exit', kill);
  let log = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (log += chunk.toString()));
  let ca = own;
  try {
    await until(async () => {
      if (child.exitCode !== null) throw new Error(`${kind.name} ended: ${log}`);
      if (kind.authority !== undefined) ca = readIfThere(join(directory, kind.authority));
      return ca !== '' && (await answers({ name: NAMES.own, port: https, ca }));
    }, 20_000);
  } catch (error) {
    kill();
    throw error;
  }
  return {
    port: https,
    ca,
    plain: (host, path) => callPlain(http, host, path),
    log: () => log,
    stop: async () => {
      process.off('exit', kill);
      await end(child);
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

async function answers(site: Site): Promise<boolean> {
  const caller = newCaller('HTTP/1.1', site);
  try {
    return (await caller.call({ path: '/health/live' })).status > 0;
  } catch {
    return false;
  } finally {
    caller.close();
  }
}

async function callPlain(port: number, host: string, path: string): ReturnType<RunningProxy['plain']> {
  const sent = request({ host: '127.0.0.1', port, path, method: 'POST', headers: { Host: host }, agent: false }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return { status: response.statusCode ?? 0, headers: response.headers, text: await text(response) };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}
