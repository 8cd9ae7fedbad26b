import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openSession } from '../../src/database/index.js';
import { type PrivatePostgres, startPrivatePostgres } from '../support/private-postgres.js';

/** What docs/operating.md, "Encryption to the database", says of each value of sslmode. */
const MODES = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify'] as const;
type Mode = (typeof MODES)[number] | undefined;

let directory: string;
let certificate: string;
let server: PrivatePostgres;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'offertory-tls-'));
  certificate = join(directory, 'server.crt');
  server = await startPrivatePostgres();
});
afterAll(() => {
  server.destroy();
  rmSync(directory, { recursive: true });
});

/** A certificate for "localhost", which no authority has signed. The server's user must own the key. */
async function switchTlsOn(): Promise<void> {
  const key = join(directory, 'server.key');
  const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  execFileSync('openssl', ['req', '-x509', ...kind, ...names, '-keyout', key, '-out', certificate], {
    stdio: 'ignore',
  });
  const data = server.place.data;
  // Written by the server itself, into its own directory and with its own mode.
  for (const [name, path] of [
    ['server.key', key],
    ['server.crt', certificate],
  ] as const) {
    const text = readFileSync(path, 'utf8').replaceAll('\n', '\\n');
    await server.query(
      `COPY (SELECT 1) TO PROGRAM $$cat >/dev/null; umask 077; printf %b '${text}' > '${join(data, name)}'$$`,
    );
  }
  await server.set({ ssl: 'on' });
}

/** Whether a connection with this mode is encrypted, or "refused". */
async function connect(mode: Mode, host: string, isTrusted = false): Promise<boolean | 'refused'> {
  const url = new URL(server.url);
  url.hostname = host;
  if (mode !== undefined) url.searchParams.set('sslmode', mode);
  if (isTrusted) url.searchParams.set('sslrootcert', certificate);
  try {
    const session = await openSession({ url: url.toString() }, 'offertory test');
    const { rows } = await session.query<{ ssl: boolean }>('SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()');
    await session.end();
    return rows[0]?.ssl === true;
  } catch (error) {
    expect((error as Error).message).toMatch(/does not support SSL|certificate|altnames/);
    return 'refused';
  }
}

async function outcomes(host: string, isTrusted = false): Promise<object> {
  const entries: [string, boolean | 'refused'][] = [];
  for (const mode of [undefined, ...MODES]) entries.push([mode ?? 'none', await connect(mode, host, isTrusted)]);
  return Object.fromEntries(entries);
}

// Each test continues from the one before.
describe('the sslmode of DATABASE_URL', () => {
  const CHECKED = ['prefer', 'require', 'verify-ca', 'verify-full'] as const;
  const withChecked = (outcome: boolean | 'refused'): object =>
    Object.fromEntries(CHECKED.map((mode) => [mode, outcome]));

  it('refuses a server without TLS, except when it is missing or "disable"', async () => {
    expect(await outcomes('127.0.0.1')).toEqual({
      ...{ none: false, disable: false, 'no-verify': 'refused' },
      ...withChecked('refused'),
    });
  });

  it('refuses a certificate that no trusted authority has signed, except "no-verify"', async () => {
    await switchTlsOn();
    expect(await outcomes('localhost')).toEqual({
      ...{ none: false, disable: false, 'no-verify': true },
      ...withChecked('refused'),
    });
  });

  it('encrypts if the authority of sslrootcert has signed the certificate for this host', async () => {
    expect(await outcomes('localhost', true)).toEqual({
      ...{ disable: false, 'no-verify': true, none: true },
      ...withChecked(true),
    });
  });

  it('refuses a certificate for another host, except "no-verify"', async () => {
    expect(await outcomes('127.0.0.1', true)).toEqual({
      ...{ disable: false, 'no-verify': true, none: 'refused' },
      ...withChecked('refused'),
    });
  });
});
