import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

/** What `docker compose …` does to the service instead of using containers. Each returns the text to print. */
export type ComposeCommands = Readonly<Record<string, () => Promise<string>>>;

/** As {@link ComposeCommands}, for any command. The directory is the one in which docker was called. */
export type AnyCommand = (asked: string, directory: string) => Promise<string>;

/** A program named docker, for PATH. */
export interface DockerStandIn {
  readonly bin: string;
  close(): Promise<void>;
}

const IN_POSTGRES = 'exec -T postgres ';

/**
 * Creates a replacement of docker: it runs commands for the container of PostgreSQL directly, and sends other commands
 * to this process. Unknown commands fail.
 * @param servers the variables with which PostgreSQL's programs find the server of an installation, by the directory of the
 *   installation; by default they are those of the environment in every directory.
 */
export async function standInForDocker(
  commands: ComposeCommands | AnyCommand,
  servers: Readonly<Record<string, Readonly<Record<string, string>>>> = {},
): Promise<DockerStandIn> {
  const bin = mkdtempSync(join(tmpdir(), 'offertory-docker-'));
  const server = createServer((request, response) => {
    void text(request)
      .then((asked) =>
        typeof commands === 'function'
          ? commands(asked, String(request.headers['directory']))
          : (commands[asked]?.() ?? Promise.reject(new Error(`no stand-in for: docker compose ${asked}`))),
      )
      .then(
        (answer) => response.end(answer),
        (error: unknown) => response.writeHead(500).end(String(error)),
      );
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  writeFileSync(join(bin, 'docker'), script(url, servers));
  chmodSync(join(bin, 'docker'), 0o755);
  return {
    bin,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
      rmSync(bin, { recursive: true, force: true });
    },
  };
}

function script(url: string, servers: NonNullable<Parameters<typeof standInForDocker>[1]>): string {
  const cases = Object.entries(servers).map(([directory, variables]) => {
    const set = Object.entries(variables).map(([name, value]) => `${name}='${value}'`);
    return `  '${directory}') export ${set.join(' ')} ;;`;
  });
  return `#!/bin/sh
if [ "$1" = compose ]; then shift; else set -- docker "$@"; fi
case "$PWD" in
${cases.join('\n')}
esac
case "$*" in
  '${IN_POSTGRES}'*) shift 3; exec "$@" ;;
esac
exec '${process.execPath}' --input-type=module -e '
  const headers = { directory: process.cwd() };
  const response = await fetch("${url}", { method: "POST", headers, body: process.argv[1] });
  (response.ok ? process.stdout : process.stderr).write(await response.text());
  process.exitCode = response.ok ? 0 : 1;
' -- "$*"
`;
}
