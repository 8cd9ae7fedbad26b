import { Command, Option } from 'commander';
import { dayArgument, idArgument, isJson, print, type RunWith, withJson } from '../command-line/index.js';
import { type AuditFilter, AuditTrail, ENTRIES_PER_PAGE } from './audit-trail.service.js';

/** `offertory audit …`: who did what. @param actions all actions. */
export function auditCommand(run: RunWith, actions: readonly string[]): Command {
  const list = withJson(new Command('list'))
    .description('shows the recorded actions, the newest first')
    .option('--actor <name>', 'only actions of this user, or of "command line: <account>"')
    .addOption(new Option('--action <action>', 'only this action').choices(actions))
    .option('--subject <subject>', 'only actions on this subject: "person 12", "contribution 5", "user txt2give"')
    .option('--from <day>', 'only from this day on, YYYY-MM-DD in church time', dayArgument)
    .option('--to <day>', 'only up to and including this day', dayArgument)
    .option('--before <id>', 'only entries with a lower id', idArgument)
    .action((filter: AuditFilter, command: Command) =>
      run(AuditTrail, async (audit) => {
        const entries = await audit.list(filter);
        print(
          command,
          isJson(command) ? entries : entries.map((entry) => ({ ...entry, details: JSON.stringify(entry.details) })),
        );
        const last = entries.at(-1);
        if (entries.length === ENTRIES_PER_PAGE && last !== undefined)
          process.stderr.write(`There may be more: audit list --before ${last.id}\n`);
      }),
    );
  return new Command('audit').description('shows who did what; entries are kept for ever').addCommand(list);
}
