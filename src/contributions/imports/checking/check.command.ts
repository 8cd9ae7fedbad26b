import { Command } from 'commander';
import { isJson, withJson } from '../../../command-line/index.js';
import type { Church } from '../../../config/index.js';
import { checkFile } from './check-file.js';

/** `offertory import check`: proposes a mapping. */
export function checkCommand(church: () => Church): Command {
  return withJson(new Command('check'))
    .description('inspects a file, and proposes a mapping; it records nothing and needs no database')
    .argument('<file>', 'CSV file')
    .addHelpText('after', '\nExample:\n  offertory import check gifts.csv > mapping.json\n')
    .action(async (path: string, _options: object, command: Command) => {
      const check = await checkFile(path, church());
      if (isJson(command)) {
        process.stdout.write(`${JSON.stringify(check, undefined, 2)}\n`);
        return;
      }
      const { remarks, mapping, rows, firstRows } = check;
      const read = rows === null ? [] : [`${rows} rows can be read with this mapping. The first ones:`];
      const shown = firstRows.map(({ line, kind, fields }) => `  line ${line}, ${kind}: ${JSON.stringify(fields)}`);
      process.stderr.write([...remarks, ...read, ...shown, ''].join('\n'));
      process.stdout.write(`${JSON.stringify(mapping, undefined, 2)}\n`);
    });
}
