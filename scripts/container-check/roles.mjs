import assert from 'node:assert/strict';
import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type } from './operator.mjs';
import { shellCommands } from './shell-blocks.mjs';
import { check, step } from './steps.mjs';

const SECTION = 'Two roles for the database';
const PASSWORD = /psql .*'\\password (\w+)'/;

/** Switches a running installation to docker-compose.roles.yml, as the page says, and uses it. */
export async function walkTheRoles(operator) {
  const page = readFileSync(join(operator.clone, 'docs/operating.md'), 'utf8');
  for (const { command } of shellCommands(page, SECTION)) {
    await step(`docs/operating.md, ${SECTION}: ${command}`, () => type(operator, withoutPrompt(command)));
  }
  appendFileSync(
    join(operator.clone, '.env'),
    '\nOWNER_PASSWORD=walked\nSERVICE_PASSWORD=walked\nCOMPOSE_FILE=docker-compose.yml:docker-compose.roles.yml\n',
  );
  const compose = (command) => type(operator, `docker compose ${command}`);
  await step('the service starts in its own role, after the owner has migrated', () => compose('up --build --detach'));
  await check('rights are granted to the service, not to the owner', () => {
    assert.match(compose('exec -T api offertory database migrate'), /none granted.*docker compose run --rm migrate/);
    assert.match(compose('run --rm migrate'), /granted to offertory_service/);
  });
  await check('the service does not know the passwords of other roles', () => {
    const environment = compose('exec -T api env');
    assert.match(environment, /^DATABASE_URL=postgres:\/\/offertory_service:/m);
    assert.doesNotMatch(environment, /offertory_owner|^(POSTGRES|OWNER|SERVICE)_PASSWORD=./m);
  });
  await step('a backup', () => type(operator, 'scripts/backup.sh'));
  await step('its restore', () => type(operator, 'scripts/restore.sh backups/offertory-2026-11-28T031500.dump'));
  await check('after the restore, the service has the rights that it needs and no others', () => {
    assert.ok(JSON.parse(compose('exec -T api offertory bundle list --json')).length > 0);
    compose('exec -T api offertory user create restored');
    assert.match(
      compose('exec -T api offertory database migrate'),
      /belong to offertory_owner, but this role is offertory_service/,
    );
  });
}

/** Sets the password directly instead of asking for it. */
function withoutPrompt(command) {
  return command.replace(
    PASSWORD,
    (_, role) => `psql --username offertory --command "ALTER ROLE ${role} PASSWORD 'walked'"`,
  );
}
