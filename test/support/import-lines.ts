import { Church } from '../../src/config/index.js';
import { inspectFile } from '../../src/contributions/imports/files/inspect-file.js';
import type { MappingObject } from '../../src/contributions/imports/files/mapping.js';
import { chooseMapping } from '../../src/contributions/imports/formats/choose-mapping.js';
import { ImportGifts } from '../../src/contributions/imports/import-gifts.service.js';
import type { RowResult } from '../../src/contributions/imports/results/result-file.js';
import type { GiftFiles } from './gift-file.js';
import type { TestApp } from './test-app.js';

/** A file to import, and how. */
export interface LinesToImport {
  readonly lines: readonly string[];
  readonly mapping?: MappingObject;
  readonly format?: string;
  readonly source?: string;
  readonly dryRun?: boolean;
}

/** Imports a file of these lines as the command does, in this process. @returns the results of its rows, as reported. */
export async function importLines(
  { app }: TestApp,
  files: GiftFiles,
  { lines, mapping, format, source, dryRun = false }: LinesToImport,
): Promise<RowResult[]> {
  const path = files.write('lines.csv', `${lines.join('\n')}\n`);
  const bytes = mapping && Buffer.from(JSON.stringify(mapping));
  const order = { path, mapping: chooseMapping({ format, bytes }), source, church: app.get(Church) };
  const file = await inspectFile({ ...order, withoutContacts: true });
  const results: RowResult[] = [];
  await app.get(ImportGifts).import(
    {
      ...{ file, username: 'api', dryRun, resultPath: `${path}.result.csv`, patience: 10_000 },
      signal: new AbortController().signal,
    },
    {
      rowImported: (row) => results.push(row),
      databaseUnavailable: () => {
        throw new Error('The database is unavailable');
      },
    },
  );
  return results;
}
