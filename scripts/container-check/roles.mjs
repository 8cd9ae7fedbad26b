import assert from 'node:assert/strict';
import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type } from './operator.mjs';
import { shellCommands } from './shell-blocks.mjs';
import { check, step } from './steps.mjs';

const SECTION = 'Two roles for the database';
const PASSWORD = /psql .*'\\password (\w+)'/;

/** Goes over to docker-compose.roles.yml on an installation that runs, as the page says, and lives on with it. */
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
  await step('the service starts in a role of its own, after the owner has migrated', () =>
    compose('up --build --detach'),
  );
  await check('it is the service, and not the owner, that is granted rights', () => {
    assert.match(compose('exec -T api offertory database migrate'), /none granted.*docker compose run --rm migrate/);
    assert.match(compose('run --rm migrate'), /granted to offertory_service/);
  });
  await check('the service does not know the passwords of others', () => {
    const environment = compose('exec -T api env');
    assert.match(environment, /^DATABASE_URL=postgres:\/\/offertory_service:/m);
    assert.doesNotMatch(environment, /offertory_owner|^(POSTGRES|OWNER|SERVICE)_PASSWORD=./m);
  });
  await step('a backup', () => type(operator, 'scripts/backup.sh'));
  await step('its restore', () => type(operator, 'scripts/restore.sh backups/offertory-2026-11-28T031500.dump'));
  await check('afterwards the service may still do its work, and nothing more', () => {
    assert.ok(JSON.parse(compose('exec -T api offertory bundle list --json')).length > 0);
    compose('exec -T api offertory user create restored');
    assert.match(
      compose('exec -T api offertory database migrate'),
      /belong to offertory_owner, but this role is offertory_service/,
    );
  });
}

/** Nobody sits here to be asked for a password. */
function withoutPrompt(command) {
  return command.replace(
    PASSWORD,
    (_, role) => `psql --username offertory --command "ALTER ROLE ${role} PASSWORD 'walked'"`,
  );
}
