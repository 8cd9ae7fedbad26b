import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { GRACE } from '../support/grace-church.js';
import { chooseColumns } from '../../src/contributions/imports/files/columns.js';
import { readMapping, NO_MAPPING } from '../../src/contributions/imports/files/mapping.js';
import { FORMATS } from '../../src/contributions/imports/formats/formats.js';
import { RESULT_COLUMNS } from '../../src/contributions/imports/results/result-file.js';

const DOCUMENT = readFileSync(new URL('../../docs/importing.md', import.meta.url), 'utf8');

function examples(language: string): string[] {
  return [...DOCUMENT.matchAll(/^```(\w+)\n([^]*?)^```$/gm)]
    .filter(([, name]) => name === language)
    .map(([, , content]) => content ?? '');
}

describe('docs/importing.md', () => {
  it('has mappings that an import accepts', () => {
    const mappings = examples('json').map((content) => readMapping(Buffer.from(content)));
    expect(mappings.map(({ file }) => file)).toEqual([
      { dates: 'D/M/Y' },
      {
        ...{ skipLines: 3, footer: 1, encoding: 'windows-1252', separator: ';' },
        ...{ dates: 'D/M/Y', timeZone: 'UTC', amounts: '1.234,56' },
      },
      ...[{}, {}, {}, {}, {}],
      { dates: 'D/M/Y', timeZone: 'UTC' },
    ]);
    expect(mappings.map(({ refunds }) => [...refunds.keys()])).toEqual([[], [], [], [], ['status'], [], [], []]);
    expect(mappings.map(({ only }) => [...only.keys()])).toEqual([
      ...[[], [], ['status', 'type'], ['status'], []],
      ...[[], ['dispute status'], []],
    ]);
  });

  it('shows the message of an import for a file with columns that need a decision', () => {
    const [header = ''] = examples('csv');
    const [message = ''] = examples('text');
    const refuse = (): unknown => chooseColumns(header.trim().split(','), NO_MAPPING, 'S', GRACE);
    expect(refuse).toThrow(new Error(message.trim()));
  });

  it('names every format, with its export', () => {
    const rows = [...DOCUMENT.matchAll(/^\|[^|]*\| `([a-z][a-z-]*)` +\|/gm)].map(([, name]) => name);
    expect(rows).toEqual(FORMATS.map(({ name }) => name));
  });

  it('explains every column of the result', () => {
    for (const column of RESULT_COLUMNS) expect(DOCUMENT).toMatch(new RegExp(`^\\|.*\`${column}\`.*\\|`, 'm'));
  });
});
