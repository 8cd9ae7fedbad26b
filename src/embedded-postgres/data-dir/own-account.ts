import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { OWN_ACCOUNT } from './server-user.js';

/** The exit code of useradd(8) when the name is in use. */
const NAME_IN_USE = 9;

/**
 * Creates the system account that runs PostgreSQL's programs for root. It has no home, no shell and no password. Without
 * useradd(8), or if that fails, the programs run as nobody. The log says what was done.
 */
export async function createOwnAccount(log: (message: string) => void): Promise<void> {
  const options = ['--system', '--user-group', '--no-create-home', '--home-dir', '/nonexistent'];
  const shell = ['--shell', '/usr/sbin/nologin'];
  try {
    await promisify(execFile)('useradd', [...options, ...shell, OWN_ACCOUNT], {
      env: { PATH: '/usr/sbin:/sbin:/usr/bin:/bin', LC_ALL: 'C' },
    });
    log(`Created the system account ${OWN_ACCOUNT}: PostgreSQL does not run as root, and runs as that user`);
  } catch (error) {
    const { code, message } = error as Error & { code?: string | number };
    // Another process has just created it.
    if (code === NAME_IN_USE) return;
    const reason = code === 'ENOENT' ? 'there is no useradd(8) here' : message.trim().replaceAll('\n', ' ');
    log(
      `PostgreSQL runs as the user nobody, which other programs may use too: the account ${OWN_ACCOUNT} could not be ` +
        `created (${reason}). Create a system account of that name, or start the service as an ordinary user.`,
    );
  }
}
