import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

/** What `docker compose …` does to the service instead of using containers. Each returns the text to print. */
export type ComposeCommands = Readonly<Record<string, () => Promise<string>>>;

/** As {@link ComposeCommands}, for any command. */
export type AnyCommand = (asked: string) => Promise<string>;

/** A program named docker, for PATH. */
export interface DockerStandIn {
  readonly bin: string;
  close(): Promise<void>;
}

const IN_POSTGRES = 'exec -T postgres ';

/**
 * Creates a replacement of docker: it runs commands for the container of PostgreSQL directly, and sends other commands
 * to this process. Unknown commands fail.
 */
export async function standInForDocker(commands: ComposeCommands | AnyCommand): Promise<DockerStandIn> {
  const bin = mkdtempSync(join(tmpdir(), 'offertory-docker-'));
  const server = createServer((request, response) => {
    void text(request)
      .then((asked) =>
        typeof commands === 'function'
          ? commands(asked)
          : (commands[asked]?.() ?? Promise.reject(new Error(`no stand-in for: docker compose ${asked}`))),
      )
      .then(
        (answer) => response.end(answer),
        (error: unknown) => response.writeHead(500).end(String(error)),
      );
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  writeFileSync(join(bin, 'docker'), script(url));
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

function script(url: string): string {
  return `#!/bin/sh
if [ "$1" = compose ]; then shift; else set -- docker "$@"; fi
case "$*" in
  '${IN_POSTGRES}'*) shift 3; exec "$@" ;;
esac
exec '${process.execPath}' --input-type=module -e '
  const response = await fetch("${url}", { method: "POST", body: process.argv[1] });
  (response.ok ? process.stdout : process.stderr).write(await response.text());
  process.exitCode = response.ok ? 0 : 1;
' "$*"
`;
}
