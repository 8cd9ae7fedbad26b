import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { Injectable } from '@nestjs/common';
import { type Actor, AuditTrail, nameOf } from '../../../../audit/index.js';
import { UserAccounts } from '../../../../auth/index.js';
import { Church } from '../../../../config/index.js';
import { sqlRows, Transactions } from '../../../../database/index.js';
import type { SentFile } from '../../../../http/index.js';
import { IMPORT_ACTIONS } from '../../audit-actions.js';
import { proposeImport } from '../../checking/check-file.js';
import { ImportError } from '../../import-error.js';
import { subjectOf } from '../../results/import-audit.js';
import { FileNotUsableError, noSuchUser } from '../errors.js';
import type { ImportOptions } from '../mapping/import-options.js';
import { storeParts } from './file-parts.js';
import { foundTable, type FoundTable } from './found-table.js';
import { MAX_FILE_NAME } from './import-file.entity.js';

/** How long a large file may take to be stored, in milliseconds. */
const STORING_LIMIT_MS = 20_000;

const INSERT = `
  INSERT INTO import_file (uploaded_by, name, size, sha256, options, found) VALUES ($1, $2, $3, $4, $5, $6)
  RETURNING id`;

interface FileToUpload {
  readonly file: SentFile;
  readonly name: string | undefined;
  /** The user who adds the gifts. */
  readonly username: string;
  readonly source: string | undefined;
  readonly by: Actor;
}

/** Keeps a file that somebody uploads, and proposes how it is read. Nothing of it is recorded. */
@Injectable()
export class UploadFile {
  constructor(
    private readonly transactions: Transactions,
    private readonly users: UserAccounts,
    private readonly church: Church,
    private readonly audit: AuditTrail,
  ) {}

  /** @returns the id of the import. @throws InvalidRequestError, FileNotUsableError */
  async upload({ file, name, username, source, by }: FileToUpload): Promise<number> {
    const { path, size } = file;
    const user = await this.users.findActive(username);
    if (user === undefined) throw noSuchUser();
    const found = await this.inspect(path);
    const sha256 = await sha256Of(path);
    const options = firstOptions(found, user.username, source);
    const values = [nameOf(by), shortName(name), size, sha256, JSON.stringify(options), JSON.stringify(found)];
    return this.transactions.run(async (tx) => {
      const [row] = await sqlRows<{ id: number }>(tx, INSERT, values);
      const id = row?.id ?? 0;
      await storeParts(tx, id, 'file', path);
      const details = { importId: id, user: user.username, sha256, size };
      await this.audit.record(tx, { action: IMPORT_ACTIONS.upload, subject: subjectOf(sha256), details, by });
      return id;
    }, STORING_LIMIT_MS);
  }

  private async inspect(path: string): Promise<FoundTable> {
    try {
      const proposed = await proposeImport(path, this.church);
      if (proposed.header.length === 0) throw new ImportError('The file is empty.');
      if (proposed.header.some((name) => /\p{Cc}/u.test(name.replaceAll(/\s/g, ''))))
        throw new ImportError('The file is not text, or in an unknown encoding: save it as "CSV UTF-8".');
      return foundTable(proposed);
    } catch (error) {
      if (error instanceof ImportError) throw new FileNotUsableError(error.message);
      throw error;
    }
  }
}

/** Rows may lack contacts if the file has no column for them. */
function firstOptions(found: FoundTable, username: string, source: string | undefined): ImportOptions {
  const { format, mapping } = found;
  const fields = Object.values(mapping);
  const withoutContacts = format === null && !fields.includes('Email') && !fields.includes('Phone');
  return { username, source: source ?? null, format, mapping, withoutContacts };
}

function shortName(name: string | undefined): string | null {
  const shown = name?.replaceAll(/[\p{Cc}\u2028\u2029]/gu, '').trim();
  return shown === undefined || shown === '' ? null : Array.from(shown).slice(0, MAX_FILE_NAME).join('');
}

async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return hash.digest('hex');
}
