import { Command } from 'commander';
import { isJson, print, withJson } from '../../../command-line/index.js';
import { FORMATS, formatNamed } from './formats.js';

/** `offertory import formats`: the built-in mappings. */
export function formatsCommand(): Command {
  return withJson(new Command('formats'))
    .description('lists the built-in formats, or prints the mapping of one, to adapt it')
    .argument('[name]', 'a format')
    .addHelpText('after', '\nExamples:\n  offertory import formats\n  offertory import formats stripe > stripe.json\n')
    .action((name: string | undefined, _options: object, command: Command) => {
      if (name === undefined) {
        print(
          command,
          FORMATS.map((format) => ({ format: format.name, processor: format.processor, export: format.export })),
        );
        return;
      }
      const format = formatNamed(name);
      if (!isJson(command)) process.stderr.write(`${format.processor}: ${format.export}.\n${format.basedOn}\n`);
      const shown = isJson(command) ? format : format.mapping;
      process.stdout.write(`${JSON.stringify(shown, undefined, 2)}\n`);
    });
}
