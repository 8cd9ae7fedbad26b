import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { parseEnv } from 'node:util';
import { parse } from 'yaml';
import { environmentOf, interpolate } from '../../scripts/container-check/compose-files.mjs';
import { pasteWell } from '../life/documented-commands.js';
import { Machine } from '../life/machine.js';
import { type DockerStandIn, standInForDocker } from '../life/stand-in-for-docker.js';
import { freePort } from '../support/free-port.js';
import { runProgram, type ServiceProcess, startServiceProcess } from '../support/service-process.js';
import { until } from '../support/until.js';
import type { Site } from './callers.js';

const ROOT = new URL('../../', import.meta.url).pathname;
/** What the clones of the page have. */
const FILES = ['.env.example', 'Caddyfile', 'docker-compose.yml', 'docker-compose.proxy.yml', 'deploy', 'scripts'];
const PROXY = 'offertory-proxy';
/** The services of docker-compose.yml, and what prepares the database of each. */
const SERVICES = {
  api: { roles: 'roles', migrate: 'migrate', postgres: 'postgres', database: 'offertory' },
  test: { roles: 'test-roles', migrate: 'test-migrate', postgres: 'test-postgres', database: 'offertory_test' },
} as const;
type ServiceName = keyof typeof SERVICES;

interface ComposeFile {
  readonly services: Readonly<
    Record<string, { readonly ports?: string[]; readonly command: string[]; readonly working_dir: string }>
  >;
}

/** An answer of Caddy over plain HTTP. */
interface PlainAnswer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
}

/**
 * A machine on which docs/several-churches.md is followed, with processes instead of containers: a PostgreSQL and a service for
 * each church, and Caddy. Programs, compose files and settings are those of the clones. What differs: ports, the addresses
 * of databases, and the authority of the certificates.
 */
export class MachineOfChurches {
  private readonly services = new Map<string, ServiceProcess>();
  private caddy: ChildProcess | undefined;
  private caddyLog = '';
  private docker: DockerStandIn | undefined;
  private readonly databases = new Map<string, Machine>();

  private constructor(
    private readonly directory: string,
    private readonly programs: string,
    /** The ports here of those that the page names, and of Caddy. */
    private readonly ports: ReadonlyMap<number, number>,
  ) {}

  /**
   * @param names of the churches that can be added
   * @param ports that the page names
   * @param programs the directory of PostgreSQL's programs
   */
  static async start(names: readonly string[], ports: readonly number[], programs: string): Promise<MachineOfChurches> {
    const directory = realpathSync(mkdtempSync(join(tmpdir(), 'offertory-churches-')));
    const here = new Map<number, number>();
    for (const port of [...ports, 443, 80]) here.set(port, await freePort());
    const machine = new MachineOfChurches(directory, programs, here);
    machine.createOrigin();
    mkdirSync(join(directory, 'churches'));
    const servers: Record<string, Record<string, string>> = {};
    for (const name of names) {
      const database = await Machine.start(programs);
      await database.query('CREATE DATABASE offertory_test', [], 'postgres');
      machine.databases.set(name, database);
      const { hostname, port } = new URL(database.variables['DATABASE_URL'] ?? '');
      servers[machine.directoryOf(name)] = { PGHOST: hostname, PGPORT: port };
    }
    machine.docker = await standInForDocker((asked, from) => machine.answer(asked, from), servers);
    return machine;
  }

  directoryOf(church: string): string {
    return join(this.directory, 'churches', church);
  }

  get directoryOfProxy(): string {
    return join(this.directory, PROXY);
  }

  /** Runs a block of the page. @returns its output. */
  paste(block: string): Promise<string> {
    let here = block.replaceAll('/srv/', `${this.directory}/`);
    for (const [there, port] of this.ports)
      if (there > 1_024) here = here.replaceAll(new RegExp(`\\b${there}\\b`, 'g'), String(port));
    const PATH = `${this.docker?.bin ?? ''}:${this.programs}:/usr/bin:/bin`;
    return pasteWell(`set -eu\n${here}`, {
      directory: this.directory,
      environment: { PATH, HOME: this.directory },
    });
  }

  /** Clones the code, as the page says in words. */
  clone(to: string): void {
    git(this.directory, 'clone', '--quiet', join(this.directory, 'origin'), to);
    if (to !== this.directoryOfProxy) return;
    // Certificates that Caddy signs itself, on ports of this machine only.
    const file = join(to, 'deploy/several-churches/Caddyfile');
    const options = [
      ...[`admin unix/${join(this.directory, 'admin.sock')}`, 'skip_install_trust', 'local_certs'],
      ...['default_bind 127.0.0.1', `http_port ${this.port(80)}`, `https_port ${this.port(443)}`],
      `storage file_system ${join(this.directory, 'storage')}`,
    ];
    const [before = '', after] = readFileSync(file, 'utf8').split('admin unix//run/caddy/admin.sock');
    if (after === undefined) throw new Error(`${file} does not name the socket of administrators`);
    writeFileSync(file, before + options.join('\n\t') + after);
  }

  settingsOf(church: string): Record<string, string> {
    return parseEnv(readFileSync(join(this.directoryOf(church), '.env'), 'utf8')) as Record<string, string>;
  }

  /** The port here of one that the page names. */
  port(named: number): number {
    const port = this.ports.get(named);
    if (port === undefined) throw new Error(`The page does not name port ${named}`);
    return port;
  }

  site(name: string): Site {
    const ca = readFileSync(join(this.directory, 'storage/pki/authorities/local/root.crt'), 'utf8');
    return { name, port: this.port(443), ca };
  }

  async plain(Host: string, path: string): Promise<PlainAnswer> {
    const sent = request({ host: '127.0.0.1', port: this.port(80), path, headers: { Host }, agent: false }).end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    return { status: response.statusCode ?? 0, headers: response.headers, text: await text(response) };
  }

  /** Runs a statement in the database of a church. @throws Error if the church has none, or none any more. */
  async query<Row>(church: string, sql: string, values: readonly unknown[] = []): Promise<Row[]> {
    return await this.database(church).query<Row>(sql, values);
  }

  service(church: string, name: ServiceName = 'api'): ServiceProcess {
    const service = this.services.get(`${church} ${name}`);
    if (service === undefined) throw new Error(`${name} of ${church} does not run`);
    return service;
  }

  async stop(): Promise<void> {
    for (const service of this.services.values()) await service.end('SIGTERM');
    await this.stopCaddy();
    for (const database of this.databases.values()) await database.stop();
    await this.docker?.close();
    rmSync(this.directory, { recursive: true, force: true });
  }

  /** A repository with the files of this working tree. */
  private createOrigin(): void {
    const origin = join(this.directory, 'origin');
    mkdirSync(origin);
    for (const name of FILES) cpSync(join(ROOT, name), join(origin, name), { recursive: true });
    cpSync(join(ROOT, '.gitignore'), join(origin, '.gitignore'));
    git(origin, 'init', '--quiet');
    git(origin, 'add', '--all');
    git(origin, '-c', 'user.name=test', '-c', 'user.email=test@example.org', 'commit', '--quiet', '--message', 'A');
  }

  /** What docker does in a directory. @returns what it prints. @throws Error for what it does not know. */
  private async answer(asked: string, from: string): Promise<string> {
    if (from === this.directoryOfProxy) return this.answerForProxy(asked, from);
    const church = basename(from);
    if (asked === `docker image rm ${church}`) return '';
    const [, service = '', command = ''] = /^exec (?:-T )?(api|test) offertory (.+)$/.exec(asked) ?? [];
    if (service !== '') return this.offertory(church, service, command.split(' '));
    switch (asked.replaceAll(/ --(?:build|detach)\b/g, '')) {
      case 'up':
        return this.up(church, 'api');
      case '--profile test up':
        await this.up(church, 'api');
        return this.up(church, 'test');
      case 'start':
        return this.startService(church, 'api');
      case 'stop':
        return this.stopService(church, 'api');
      case '--profile test down --volumes':
        for (const name of ['api', 'test'] as const) await this.stopService(church, name);
        await this.database(church).stop();
        this.databases.delete(church);
        return '';
      case 'pull --ignore-buildable':
      case 'build --pull':
        return '';
      default:
        throw new Error(`no stand-in for: docker ${asked} in ${from}`);
    }
  }

  private async answerForProxy(asked: string, from: string): Promise<string> {
    const { services } = this.composeFile(from, 'docker-compose.proxy.yml');
    const { command = [], working_dir = '' } = services['proxy'] ?? {};
    const cwd = working_dir.replace('/etc/caddy', from);
    switch (asked) {
      case 'pull':
        return '';
      case 'up --detach --wait':
        if (this.caddy === undefined) await this.startCaddy(command, cwd);
        return '';
      case 'exec proxy caddy reload --config Caddyfile': {
        const { status, stderr } = spawnSync('caddy', ['reload', '--config', 'Caddyfile'], {
          cwd,
          env: this.caddyEnvironment,
          encoding: 'utf8',
        });
        if (status !== 0) throw new Error(stderr);
        return stderr;
      }
      default:
        throw new Error(`no stand-in for: docker ${asked} in ${from}`);
    }
  }

  private get caddyEnvironment(): Record<string, string> {
    const HOME = this.directory;
    return { PATH: process.env['PATH'] ?? '', HOME, XDG_DATA_HOME: HOME, XDG_CONFIG_HOME: HOME };
  }

  private async startCaddy([program = '', ...args]: readonly string[], cwd: string): Promise<void> {
    const child = spawn(program, args, { cwd, env: this.caddyEnvironment, stdio: ['ignore', 'ignore', 'pipe'] });
    this.caddy = child;
    process.once('exit', () => child.kill('SIGKILL'));
    child.stderr.on('data', (chunk: Buffer) => (this.caddyLog += chunk.toString()));
    await until(async () => {
      if (child.exitCode !== null) throw new Error(`Caddy ended: ${this.caddyLog}`);
      return this.plain('127.0.0.1', '/').then(
        ({ status }) => status === 200,
        () => false,
      );
    });
  }

  private async stopCaddy(): Promise<void> {
    if (this.caddy?.exitCode !== null) return;
    const ended = once(this.caddy, 'exit');
    this.caddy.kill('SIGTERM');
    await ended;
  }

  private async up(church: string, name: ServiceName): Promise<string> {
    const { roles, migrate, database } = SERVICES[name];
    const env = {
      ...this.environment(church, roles),
      ...this.programEnvironment(church),
      PGDATABASE: database,
    };
    const { status, stderr } = spawnSync('sh', ['scripts/database-roles.sh'], {
      ...{ cwd: this.directoryOf(church), env, encoding: 'utf8' },
    });
    if (status !== 0) throw new Error(stderr);
    await this.offertory(church, migrate, ['database', 'migrate']);
    await this.stopService(church, name);
    return this.startService(church, name);
  }

  private async startService(church: string, name: ServiceName): Promise<string> {
    this.services.set(`${church} ${name}`, await startServiceProcess(this.environment(church, name)));
    return '';
  }

  private async stopService(church: string, name: ServiceName): Promise<string> {
    const service = this.services.get(`${church} ${name}`);
    this.services.delete(`${church} ${name}`);
    const code = await service?.end('SIGTERM');
    if (service !== undefined && code !== 0) throw new Error(`${name} of ${church} ended with ${String(code)}`);
    return '';
  }

  private async offertory(church: string, service: string, args: readonly string[]): Promise<string> {
    const { code, stdout, stderr } = await runProgram('cli', args, this.environment(church, service));
    if (code !== 0) throw new Error(stderr);
    return stdout;
  }

  private composeFile(directory: string, name: string, variables: Record<string, string> = {}): ComposeFile {
    return parse(interpolate(readFileSync(join(directory, name), 'utf8'), variables)) as ComposeFile;
  }

  /** What a container gets: .env, if it is a service, and then what docker-compose.yml sets. */
  private environment(church: string, container: string): Record<string, string> {
    const [directory, set] = [this.directoryOf(church), this.settingsOf(church)];
    const decided = environmentOf(container, [join(directory, 'docker-compose.yml')], set) ?? {};
    const { host } = new URL(this.database(church).variables['DATABASE_URL'] ?? '');
    for (const { postgres, database } of Object.values(SERVICES)) {
      for (const name of ['DATABASE_URL', 'MIGRATION_DATABASE_URL']) {
        const url = decided[name]?.replace(`@${postgres}:5432/offertory`, `@${host}/${database}`);
        if (url !== undefined) decided[name] = url;
      }
    }
    if (!(container in SERVICES)) return decided;
    const [published = ''] = this.composeFile(directory, 'docker-compose.yml', set).services[container]?.ports ?? [];
    const PORT = /^127\.0\.0\.1:(\d+):3000$/.exec(published)?.[1] ?? '';
    return { ...set, ...decided, HOST: '127.0.0.1', PORT, DATA_DIR: join(directory, 'data', container) };
  }

  private programEnvironment(church: string): Record<string, string> {
    const { hostname, port } = new URL(this.database(church).variables['DATABASE_URL'] ?? '');
    return { PATH: `${this.programs}:/usr/bin:/bin`, PGHOST: hostname, PGPORT: port };
  }

  private database(church: string): Machine {
    const database = this.databases.get(church);
    if (database === undefined) throw new Error(`${church} has no database`);
    return database;
  }
}

function git(cwd: string, ...args: string[]): void {
  const { status, stderr } = spawnSync('git', args, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`);
}
