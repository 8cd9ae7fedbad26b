import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { GRACE } from '../../../../../test/support/grace-church.js';
import { proposeImport } from '../../checking/check-file.js';
import { type FoundTable, foundTable } from '../files/found-table.js';
import { currentChoices } from './column-choices.js';
import type { ImportOptions } from './import-options.js';
import { columnField, readMappingForm, valueField } from './mapping-form.js';

const EXPORTS = new URL('../../../../../test/process/processor-files/', import.meta.url).pathname;

let directory: string;

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'offertory-mapping-'));
});
afterAll(() => {
  rmSync(directory, { recursive: true });
});

interface Shown {
  readonly found: FoundTable;
  readonly options: ImportOptions;
}

async function shownFor(path: string): Promise<Shown> {
  const found = foundTable(await proposeImport(path, GRACE));
  const { format, mapping } = found;
  return { found, options: { username: 'imports', source: 'file', format, mapping, withoutContacts: true } };
}

function fileOf(content: string): Promise<Shown> {
  const path = join(directory, 'file.csv');
  writeFileSync(path, content);
  return shownFor(path);
}

/** The form as it is shown, with changes. */
function sentForm({ found, options }: Shown, changes: Readonly<Record<string, string>> = {}): Record<string, string> {
  const { columns, mapping } = currentChoices(found, options, GRACE);
  const choices = columns.flatMap(({ choice, meanings }, column) => [
    [columnField(column), choice],
    ...meanings.map((meaning, value) => [valueField(column, value), meaning]),
  ]);
  const file = Object.entries(mapping.file).map(([key, value]) => [key, String(value)]);
  const { username: user, source, format } = options;
  const common = { user, source: source ?? '', format: format ?? '', withoutContacts: 'true' };
  return { ...common, ...Object.fromEntries([...choices, ...file]), ...changes } as Record<string, string>;
}

const read = (shown: Shown, changes: Readonly<Record<string, string>> = {}): ReturnType<typeof readMappingForm> =>
  readMappingForm(sentForm(shown, changes), shown.found, shown.options, GRACE);

describe('the form of a mapping', () => {
  it.each(readdirSync(EXPORTS))('that nobody changes means the format itself: %s', async (name) => {
    const shown = await shownFor(join(EXPORTS, name));
    expect(shown.found.format).toBe(name.replace('.csv', ''));
    const { options, faults } = read(shown);
    expect([options.mapping, faults]).toEqual([{}, []]);
  });

  it('with a format has only what differs from it, by the names of the format', async () => {
    const shown = await shownFor(join(EXPORTS, 'tithely.csv'));
    const index = shown.found.columns.findIndex(({ name }) => /fund|giving type/i.test(name));
    const { options, faults } = read(shown, { [columnField(index)]: 'Notes' });
    expect(faults).toEqual([]);
    expect(Object.values(options.mapping)).toEqual(['Notes']);
  });

  it('names every column of an unknown file', async () => {
    const shown = await fileOf(
      'First,Last,Email,Phone,Amount,Date,Colour\nAnn,Lee,ann@example.org,1,5,2026-06-01,red\n',
    );
    const { options } = read(shown, { fundId: '2', timeZone: 'UTC', skipLines: '0' });
    expect(options.mapping).toEqual({
      ...{ First: 'First', Last: 'Last', Email: 'Email', Phone: 'Phone', Amount: 'Amount', Date: 'Date', Colour: null },
      ...{ defaults: { FundId: 2 }, file: { timeZone: 'UTC', skipLines: 0 } },
    });
  });

  it('says which rows are gifts, refunds, or left out', async () => {
    const shown = await fileOf(
      'First,Last,Email,Phone,Amount,Date,Outcome\n' +
        ['ok', 'back', 'no'].map((value) => `Ann,Lee,ann@example.org,1,5,2026-06-01,${value}`).join('\n'),
    );
    const column = shown.found.columns.findIndex(({ name }) => name === 'Outcome');
    expect(read(shown).faults).toEqual([{ field: columnField(column), message: 'must be decided' }]);
    const condition = { [columnField(column)]: 'condition' };
    expect(read(shown, condition).faults).toEqual([
      { field: columnField(column), message: expect.stringContaining('must have a value that means a gift') },
    ]);
    const chosen = { ...condition, [valueField(column, 0)]: 'gift', [valueField(column, 1)]: 'refund' };
    const { options, faults } = read(shown, chosen);
    expect([options.mapping['only'], options.mapping['refunds'], faults]).toEqual([
      { Outcome: ['ok'] },
      { Outcome: ['back'] },
      [],
    ]);
    // Shown and sent again, it means the same.
    expect(read({ ...shown, options }).options.mapping).toEqual(options.mapping);
  });

  it('keeps the choices that a form does not send, and ignores unknown ones', async () => {
    const shown = await fileOf('First,Last,Email,Phone,Amount,Date\nAnn,Lee,ann@example.org,1,5,2026-06-01\n');
    const before = read(shown).options.mapping;
    const { options } = readMappingForm(
      { format: '', [columnField(0)]: 'Nonsense', [columnField(1)]: ['First', 'Last'] },
      shown.found,
      shown.options,
      GRACE,
    );
    expect(options.mapping).toEqual(before);
  });

  it('has at most three examples of a column, without what the database cannot store', () => {
    const rows = ['A\0nn', '', 'Bob', 'Cy', 'Dee'].map((first) => [first, '\u{1F600}'.repeat(80)]);
    const { columns } = foundTable({ header: ['First', 'Last'], rows, format: undefined, mapping: {}, remarks: [] });
    expect(columns[0]?.examples).toEqual(['A\u{FFFD}nn', 'Bob', 'Cy']);
    // Not a half of a character.
    expect(columns[1]?.examples[0]).toBe(`${'\u{1F600}'.repeat(60)}…`);
  });
});
