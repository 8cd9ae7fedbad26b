import { Command, InvalidArgumentError, Option } from 'commander';
import { dayArgument, idArgument, isJson, print, Progress, type RunWith, withJson } from '../command-line/index.js';
import { type AuditFilter, AuditTrail, ENTRIES_PER_PAGE } from './audit-trail.service.js';
import { VerifyAuditTrail } from './seals/verify-audit-trail.service.js';

/** `offertory audit …`: who did what. @param actions all actions. */
export function auditCommand(run: RunWith, actions: readonly string[]): Command {
  return new Command('audit')
    .description('shows who did what, and checks that nobody has changed it; entries are kept for ever')
    .addCommand(listCommand(run, actions))
    .addCommand(verifyCommand(run));
}

function listCommand(run: RunWith, actions: readonly string[]): Command {
  return withJson(new Command('list'))
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
}

function verifyCommand(run: RunWith): Command {
  return withJson(new Command('verify'))
    .description('compares all sealed entries with their seals, and names the first one that does not fit')
    .option('--seal <hash>', 'the hash of a seal, from the log, the metrics or a backup: it must be in the chain', hash)
    .addHelpText('after', VERIFY_HELP)
    .action(({ seal }: { seal?: string }, command: Command) =>
      run(VerifyAuditTrail, async (audit) => {
        let progress: Progress | undefined;
        const found = await audit.verify(seal, (done, total) => {
          progress ??= new Progress(process.stderr, total);
          progress.reach(done);
        });
        progress?.end();
        const { fault, latestSeal, entriesAfterNote, ...counts } = found;
        if (isJson(command)) print(command, found);
        else if (fault === null) {
          const afterNote = entriesAfterNote === null ? {} : { entriesAfterNote };
          print(command, { ...counts, ...afterNote, ...(latestSeal !== null && { latestSeal }) });
        }
        if (fault !== null) throw new AuditFaultError(fault, found.unsealedEntries);
      }),
    );
}

const VERIFY_HELP = `
The exit code is 1 if something does not fit. Entries after the latest seal are counted, but cannot be compared yet. The
service seals new entries every minute.

Somebody who can change the database can also make all seals anew. To detect that, compare with a hash that was noted
somewhere else. It vouches for the entries up to its seal; entriesAfterNote counts those after it.

Example:
  offertory audit verify --seal "$(cat backups/offertory-2026-11-28T031500.seal)"
`;

function hash(text: string): string {
  if (/^[\da-f]{64}$/i.test(text)) return text.toLowerCase();
  throw new InvalidArgumentError('It must be the 64 hexadecimal digits of a hash.');
}

/** The audit trail does not agree with its seals. */
class AuditFaultError extends Error {
  constructor(fault: string, unsealedEntries: number) {
    super(`${fault} Not sealed yet: ${unsealedEntries} entries.`);
  }
}
