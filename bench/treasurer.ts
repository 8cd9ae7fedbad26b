import { type BenchDatabase, PASSWORD } from './databases.js';
import { runCommand } from './programs.js';

/** The user of Finance. It has the password of the other users. */
export const TREASURER = 'treasurer';

/** Creates the user unless an earlier run did. */
export async function createTreasurer({ url, pool }: BenchDatabase): Promise<void> {
  const { rows } = await pool.query('SELECT FROM app_user WHERE username = $1', [TREASURER]);
  if (rows.length > 0) return;
  const create = ['user', 'create', TREASURER, '--roles', 'Finance', '--password-stdin'];
  await runCommand(create, { DATABASE_URL: url }, PASSWORD);
}

/** Logs in to the console. @returns the header Cookie of the session. */
export async function logIn(url: string): Promise<string> {
  const answer = await fetch(`${url}/console/login`, {
    method: 'POST',
    headers: { Origin: url },
    body: new URLSearchParams({ username: TREASURER, password: PASSWORD }),
    redirect: 'manual',
  });
  const cookie = answer.headers.getSetCookie()[0]?.split(';')[0];
  if (cookie === undefined) throw new Error(`The login was answered with ${answer.status} and no cookie`);
  return cookie;
}
