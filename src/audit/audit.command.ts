import { Command, Option } from 'commander';
import { dayArgument, idArgument, isJson, print, type RunWith, withJson } from '../command-line/index.js';
import { type AuditFilter, AuditTrail, ENTRIES_AT_ONCE } from './audit-trail.service.js';

/** `offertory audit …`: who did what. @param actions all actions there are */
export function auditCommand(run: RunWith, actions: readonly string[]): Command {
  const list = withJson(new Command('list'))
    .description('shows what was done, the newest first')
    .option('--actor <name>', 'only what this user did, or "command line: <account>"')
    .addOption(new Option('--action <action>', 'only this').choices(actions))
    .option('--subject <subject>', 'only what was done to it: "person 12", "contribution 5", "user txt2give"')
    .option('--from <day>', 'only from this day on, YYYY-MM-DD in church time', dayArgument)
    .option('--to <day>', 'only up to this day, included', dayArgument)
    .option('--before <id>', 'only those with a lower id', idArgument)
    .action((filter: AuditFilter, command: Command) =>
      run(AuditTrail, async (audit) => {
        const entries = await audit.list(filter);
        print(
          command,
          isJson(command) ? entries : entries.map((entry) => ({ ...entry, details: JSON.stringify(entry.details) })),
        );
        const last = entries.at(-1);
        if (entries.length === ENTRIES_AT_ONCE && last !== undefined)
          process.stderr.write(`There may be more: audit list --before ${last.id}\n`);
      }),
    );
  return new Command('audit').description('who did what, kept for good').addCommand(list);
}
