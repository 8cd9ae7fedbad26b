import { createServer } from 'node:net';

/** Below the range that systems use for outgoing connections. */
const [LOWEST, HIGHEST] = [20_000, 32_000];

/**
 * A free port outside the range of outgoing connections. Inside it, another connection could take the port while the
 * server is down, and a client could even be connected to itself.
 */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < 100; tries++) {
    const port = LOWEST + Math.floor(Math.random() * (HIGHEST - LOWEST));
    if (await isFree(port)) return port;
  }
  throw new Error(`There is no free port between ${LOWEST} and ${HIGHEST}`);
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  return await new Promise((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
