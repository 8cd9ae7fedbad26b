import { createApiUser, runProgram, type ServiceProcess, startServiceProcess } from '../support/service-process.js';
import type { PatroniCluster } from './patroni-cluster.js';
import type { PatroniNode } from './patroni-node.js';

const SERVICES = ['api', 'api2'] as const;
type ServiceName = (typeof SERVICES)[number];

/** What `docker compose` does with docker-compose.cluster.yml, with processes instead of containers. */
export class ComposeOfProcesses {
  private readonly running = new Map<ServiceName, ServiceProcess>();

  /** @param ports of the services */
  constructor(
    private readonly cluster: PatroniCluster,
    private readonly ports: Readonly<Record<ServiceName, number>>,
  ) {}

  urlOf(name: ServiceName): string {
    return `http://127.0.0.1:${this.ports[name]}`;
  }

  createApiUser(password: string): Promise<void> {
    return createApiUser(this.cluster.variables, password);
  }

  /** @param asked the words after `docker compose`. @returns what is printed. @throws Error for what it does not know. */
  async answer(asked: string): Promise<string> {
    const [, volume] = /^docker volume rm offertory_(\w+)$/.exec(asked) ?? [];
    if (volume !== undefined) {
      this.node(volume).wipe();
      return '';
    }
    const [, name = '', command = ''] = /^exec -T (\w+) (.+)$/.exec(asked) ?? [];
    if (name !== '') return this.execute(name, command.split(' '));
    const [verb = '', ...operands] = asked.split(' ').filter((word) => !word.startsWith('--'));
    switch (verb) {
      case 'build':
        return '';
      case 'up':
      case 'start':
        return this.up(operands);
      case 'stop':
        await Promise.all(operands.map((operand) => this.stop(operand)));
        return '';
      case 'rm':
        // The volume stays.
        return '';
      case 'ps':
        return [...this.running.keys(), 'postgres'].join('\n');
      case 'run':
        return this.offertory('database', 'migrate');
      default:
        throw new Error(`no stand-in for: docker compose ${asked}`);
    }
  }

  async end(): Promise<void> {
    for (const service of this.running.values()) await service.end('SIGTERM');
  }

  private execute(name: string, [program = '', ...args]: readonly string[]): Promise<string> {
    if (program === 'patronictl' && this.node(name).name === name) return this.cluster.patronictl(...args);
    if (program === 'offertory' && name === 'api') return this.offertory(...args);
    throw new Error(`no stand-in for: ${program} in ${name}`);
  }

  private async offertory(...args: readonly string[]): Promise<string> {
    const { code, stdout, stderr } = await runProgram('cli', args, this.cluster.variables);
    if (code !== 0) throw new Error(stderr);
    return stdout;
  }

  /** Starts what does not run. A node that runs is made anew. */
  private async up(operands: readonly string[]): Promise<string> {
    const named = operands.length === 0 ? SERVICES : operands;
    for (const name of SERVICES) if (named.includes(name)) await this.startService(name);
    for (const name of named) if (/^node\d$/.test(name)) await this.recreate(this.node(name));
    return '';
  }

  private async startService(name: ServiceName): Promise<void> {
    if (this.running.has(name)) return;
    const variables = { ...this.cluster.variables, PORT: String(this.ports[name]) };
    this.running.set(name, await startServiceProcess(variables));
  }

  private async recreate(node: PatroniNode): Promise<void> {
    await node.stop();
    await node.restart();
    await this.cluster.untilComplete();
  }

  private async stop(name: string): Promise<void> {
    if (/^node\d$/.test(name)) {
      await this.node(name).stop();
      return;
    }
    const service = this.running.get(name as ServiceName);
    this.running.delete(name as ServiceName);
    await service?.end('SIGTERM');
  }

  private node(name: string): PatroniNode {
    const node = this.cluster.nodes.find((one) => one.name === name);
    if (node === undefined) throw new Error(`There is no ${name}`);
    return node;
  }
}
