import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { noteSecret } from '../support/kept-logs.js';
import { createApiUser, runProgram, type ServiceProcess, startServiceProcess } from '../support/service-process.js';
import { gift, type Login } from '../support/test-app.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { type Answer, type Call, type Caller, newCaller, type Protocol, type Site } from './callers.js';
import { NAMES } from './certificate.js';
import { PROXIES } from './proxies.js';
import { isInstalled, type ProxyKind, type RunningProxy, startProxy } from './running-proxy.js';

/** With the three roles. */
export const PROCESSOR: Login = ['api', 'through any front door'];
/** With the role Finance. */
export const TREASURER: Login = ['treasurer', 'counts every penny'];

export const KB = 1_024;
export const JSON_TYPE = { 'Content-Type': 'application/json' };

export function basic([username, password]: Login): { readonly Authorization: string } {
  return { Authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` };
}

/** The JSON of an answer. */
export function bodyOf(answer: { readonly text: string }): Record<string, unknown> {
  return JSON.parse(answer.text) as Record<string, unknown>;
}

/** How callers reach the service: as the only thing at its host, or under a path of another site, with BASE_PATH. */
const VARIANTS = [
  { variant: 'on a host of its own', name: NAMES.own, base: '' },
  { variant: 'under a path of another site', name: NAMES.shared, base: '/giving' },
] as const;

/** The service behind one proxy. */
export class Stage {
  database!: TestDatabase;
  proxy!: RunningProxy;
  site!: Site;
  private readonly callers: Caller[] = [];
  private count = 0;

  constructor(
    readonly kind: ProxyKind,
    private readonly name: string,
    /** The path in front of all paths of the service; may be empty. */
    readonly base: string,
  ) {}

  async start(database: TestDatabase, service: ServiceProcess): Promise<void> {
    this.database = database;
    this.proxy = await startProxy(this.kind, Number(new URL(service.url).port));
    this.site = { name: this.name, port: this.proxy.port, ca: this.proxy.ca };
  }

  async stop(): Promise<void> {
    for (const caller of this.callers) caller.close();
    await (this.proxy as RunningProxy | undefined)?.stop();
  }

  /** A caller with a new connection. */
  open(protocol: Protocol): Caller {
    const caller = newCaller(protocol, this.site);
    this.callers.push(caller);
    return caller;
  }

  /** A call from a new connection. */
  call(protocol: Protocol, { path, ...call }: Call): Promise<Answer> {
    return this.open(protocol).call({ ...call, path: this.base + path });
  }

  /** AddContribution of a new gift. */
  addition(fields: object = {}, headers: Readonly<Record<string, string>> = basic(PROCESSOR)): Call & { body: string } {
    const body = JSON.stringify(gift(`${this.kind.name}${this.name}${++this.count}`, fields));
    return { method: 'POST', path: '/Api/AddContribution', headers: { ...JSON_TYPE, ...headers }, body };
  }
}

/** Runs a command of the service. @returns what it prints. */
export type RunCommand = (args: readonly string[], input?: string) => Promise<string>;

/**
 * Repeats tests behind each proxy, on a host of its own and under a path.
 * @param prepare runs once, before the proxies are started.
 */
export function describeBehindProxies(
  tests: (stage: Stage) => void,
  prepare?: (run: RunCommand) => Promise<void>,
): void {
  let database: TestDatabase;
  /** By the path in front. */
  const services = new Map<string, ServiceProcess>();

  beforeAll(async () => {
    database = await createTestDatabase();
    const variables = { DATABASE_URL: database.url, TRUST_PROXY: '1', LOGIN_FAILURES_PER_MINUTE: '100000' };
    const run: RunCommand = async (args, input = '') => {
      const { code, stdout, stderr } = await runProgram('cli', args, variables, input);
      if (code !== 0) throw new Error(`${args.join(' ')}: ${stderr}`);
      return stdout;
    };
    await createApiUser(variables, PROCESSOR[1]);
    noteSecret(TREASURER[1]);
    await run(['user', 'create', TREASURER[0], '--roles', 'Finance', '--password-stdin'], TREASURER[1]);
    await prepare?.(run);
    for (const { base } of VARIANTS) {
      services.set(base, await startServiceProcess({ ...variables, ...(base === '' ? {} : { BASE_PATH: base }) }));
    }
  });
  afterAll(async () => {
    for (const service of services.values()) {
      expect(service.output()).not.toContain('internal_error');
      expect(await service.end('SIGTERM')).toBe(0);
    }
    await database.drop();
  });

  describe.each(PROXIES)('behind $name', (kind) => {
    const describeIfInstalled = isInstalled(kind) ? describe : describe.skip;
    describeIfInstalled.each(VARIANTS)('$variant (skipped only without the proxy)', ({ name, base }) => {
      const stage = new Stage(kind, name, base);
      beforeAll(async () => {
        const service = services.get(base);
        if (service === undefined) throw new Error('The service does not run');
        await stage.start(database, service);
      });
      afterAll(() => stage.stop());
      tests(stage);
    });
  });
}
