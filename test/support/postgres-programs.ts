import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const DEBIAN = '/usr/lib/postgresql';

/**
 * Where pg_dump and its like are, with a server of the same version: in TEST_POSTGRES_BIN, or the newest of Debian's.
 * Undefined where there are none; the PostgreSQL that the product brings along has no such programs.
 */
export function findPostgresPrograms(): string | undefined {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a)) : [];
  const places = [process.env['TEST_POSTGRES_BIN'] ?? '', ...versions.map((version) => join(DEBIAN, version, 'bin'))];
  return places.find((bin) => ['pg_dump', 'pg_ctl'].every((program) => bin !== '' && existsSync(join(bin, program))));
}
