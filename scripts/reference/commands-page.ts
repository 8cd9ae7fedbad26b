import { Command } from 'commander';
import { page } from './markdown.js';

const INTRODUCTION = `
In a container: \`docker compose exec api offertory <command>\`. Without Docker: \`npm run --silent offertory -- <command>\`.

- Commands work beside a running service, on the embedded database too.
- \`--help\` explains each command. \`offertory --version\` prints the version of the program.
- \`--json\` prints JSON, for scripts.
- An error is one line on standard error, and the exit status is 1.
- \`bundle close\`, \`person merge\` and \`test reset\` cannot be undone. They ask first if a person sits at the keyboard; \`--yes\` answers.

This page is the help of each command, as the program prints it. How to use them is in [operating.md](../operating.md),
[matching.md](../matching.md) and [importing.md](../importing.md).
`.trim();

/** docs/reference/commands.md: the help of every command. */
export function commandsPage(commands: readonly Command[]): string {
  const program = new Command('offertory');
  for (const command of commands) program.addCommand(command);
  return page(
    'Commands',
    INTRODUCTION,
    commands.flatMap((command) => sections(command, command.name(), '##')),
  );
}

function sections(command: Command, path: string, level: string): string[] {
  const parts = command.commands.flatMap((part) => sections(part, `${path} ${part.name()}`, `${level}#`));
  const heading = `${level} ${path}`;
  const help = `\`\`\`text\n${helpOf(command)}\n\`\`\``;
  if (parts.length === 0) return [heading, help];
  // A command with arguments does something of its own, beside its subcommands.
  const own = command.registeredArguments.length > 0 ? help : capitalised(command.description());
  return [heading, own, ...parts];
}

function helpOf(command: Command): string {
  let help = '';
  command.configureHelp({ helpWidth: 100 }).configureOutput({ writeOut: (text) => (help += text) });
  command.outputHelp();
  return help.trim();
}

function capitalised(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
