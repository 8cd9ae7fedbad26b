import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const DEBIAN = '/usr/lib/postgresql';

/**
 * The directory of pg_dump and similar programs with a server of the same version: TEST_POSTGRES_BIN, or Debian's newest.
 * Undefined if there is none. The embedded PostgreSQL does not include these programs.
 */
export function findPostgresPrograms(): string | undefined {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a)) : [];
  const places = [process.env['TEST_POSTGRES_BIN'] ?? '', ...versions.map((version) => join(DEBIAN, version, 'bin'))];
  return places.find((bin) => ['pg_dump', 'pg_ctl'].every((program) => bin !== '' && existsSync(join(bin, program))));
}
