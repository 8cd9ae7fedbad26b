import assert from 'node:assert/strict';
import { type } from './operator.mjs';
import { check, step } from './steps.mjs';

/** Checks the roles of the database in the installation that the pages have made, and after a backup and its restore. */
export async function walkTheRoles(operator) {
  const compose = (command) => type(operator, `docker compose ${command}`);
  await check('rights are granted to the service, not to the owner', () => {
    assert.match(compose('exec -T api offertory database migrate'), /none granted.*docker compose run --rm migrate/);
    assert.match(compose('run --rm migrate'), /granted to offertory_service/);
    assert.match(compose('exec -T api offertory doctor || true'), /ok +rights +the role offertory_service/);
  });
  await check('the service does not know the passwords of other roles', () => {
    const environment = compose('exec -T api env');
    assert.match(environment, /^DATABASE_URL=postgres:\/\/offertory_service:/m);
    assert.doesNotMatch(environment, /offertory_owner|^(TEST_)?(POSTGRES|OWNER|SERVICE)_PASSWORD=./m);
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
