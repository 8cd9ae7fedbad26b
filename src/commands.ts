import type { Command } from 'commander';
import type { RunWith } from './command-line/index.js';

/** The commands of the modules. Each is loaded on use, because loading all modules takes longer than most commands. */
export const COMMANDS: ReadonlyMap<string, () => Promise<Command>> = new Map(
  Object.entries({
    user: async () => (await import('./auth/index.js')).userCommand(await run()),
    token: async () => (await import('./auth/index.js')).tokenCommand(await run()),
    person: async () => (await import('./people/index.js')).personCommand(await run()),
    contact: async () => (await import('./people/index.js')).contactCommand(await run()),
    contribution: async () => (await import('./contributions/index.js')).contributionCommand(await run()),
    fund: async () => (await import('./contributions/index.js')).fundCommand(await run()),
    bundle: async () => (await import('./contributions/index.js')).bundleCommand(await run()),
    deposit: async () => (await import('./contributions/index.js')).depositCommand(await run()),
    review: async () => (await import('./contributions/index.js')).reviewCommand(await run()),
    import: async () => {
      const { configuration, runWith } = await import('./run-command.js');
      return (await import('./contributions/index.js')).importCommand(runWith, () => configuration().church);
    },
    notification: async () => (await import('./notifications/index.js')).notificationCommand(await run()),
    webhook: async () => (await import('./webhooks/index.js')).webhookCommand(await run()),
    audit: async () => {
      const { AUDIT_ACTIONS } = await import('./parts.js');
      return (await import('./audit/index.js')).auditCommand(await run(), AUDIT_ACTIONS);
    },
    database: async () => {
      const { OPERATOR, withDatabase } = await import('./run-command.js');
      const { databaseCommand } = await import('./database/index.js');
      const { moveCommand } = await import('./database-move/index.js');
      const { ENTITIES } = await import('./parts.js');
      return databaseCommand(withDatabase, OPERATOR, ENTITIES).addCommand(moveCommand(withDatabase, OPERATOR));
    },
    test: async () => {
      const { OPERATOR, withDatabase } = await import('./run-command.js');
      const { ENTITIES } = await import('./parts.js');
      return (await import('./test-mode/index.js')).testCommand(withDatabase, OPERATOR, ENTITIES);
    },
    doctor: async () => (await import('./doctor/index.js')).doctorCommand(await run()),
  }),
);

async function run(): Promise<RunWith> {
  return (await import('./run-command.js')).runWith;
}
