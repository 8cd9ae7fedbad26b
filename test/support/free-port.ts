import { createServer } from 'node:net';

/** Below those that systems give to outgoing connections. */
const [LOWEST, HIGHEST] = [20_000, 32_000];

/**
 * A port that is free, and that no outgoing connection takes while the server that is to listen there is down: a client
 * that knocks at a closed port of that kind in vain may even be connected to itself.
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
