import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The names of the sites in the files of deploy/. */
export const NAMES = { own: 'giving.example.org', shared: 'www.example.org' } as const;

/**
 * Writes a certificate for both sites where the files of deploy/ expect those of certbot: `live/<name>/fullchain.pem` and
 * `privkey.pem`; for HAProxy also both in one file in `certs/`.
 * @returns the certificate, which is its own authority.
 */
export function writeCertificates(directory: string): string {
  const [key, certificate] = [join(directory, 'key.pem'), join(directory, 'certificate.pem')];
  const names = Object.values(NAMES).map((name) => `DNS:${name}`);
  execFileSync(
    'openssl',
    [
      ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'],
      ...[
        '-subj',
        `/CN=${NAMES.own}`,
        '-addext',
        `subjectAltName=${names.join(',')}`,
        '-keyout',
        key,
        '-out',
        certificate,
      ],
    ],
    { stdio: 'ignore' },
  );
  const [keyText, certificateText] = [readFileSync(key, 'utf8'), readFileSync(certificate, 'utf8')];
  for (const name of Object.values(NAMES)) {
    mkdirSync(join(directory, 'live', name), { recursive: true });
    writeFileSync(join(directory, 'live', name, 'fullchain.pem'), certificateText);
    writeFileSync(join(directory, 'live', name, 'privkey.pem'), keyText, { mode: 0o600 });
  }
  mkdirSync(join(directory, 'certs'));
  writeFileSync(join(directory, 'certs', 'offertory.pem'), certificateText + keyText, { mode: 0o600 });
  return certificateText;
}
