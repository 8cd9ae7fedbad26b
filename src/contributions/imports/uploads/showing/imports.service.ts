import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { DataSource, LessThan } from 'typeorm';
import { type Actor, AuditTrail } from '../../../../audit/index.js';
import { Transactions } from '../../../../database/index.js';
import { IMPORT_ACTIONS } from '../../audit-actions.js';
import { subjectOf } from '../../results/import-audit.js';
import { ImportNotFoundError, ImportWithoutResultError } from '../errors.js';
import { readParts } from '../files/file-parts.js';
import { ImportFile } from '../files/import-file.entity.js';
import { IMPORTS_PER_LIST } from './import-view.js';

/** Finds the imports of uploaded files. */
@Injectable()
export class Imports {
  constructor(
    @InjectDataSource() private readonly dataSource: DataSource,
    private readonly transactions: Transactions,
    private readonly audit: AuditTrail,
  ) {}

  /** The latest imports first, at most {@link IMPORTS_PER_LIST}. @param before selects those with a lower id. */
  async list(before?: number): Promise<ImportFile[]> {
    return this.dataSource.manager.find(ImportFile, {
      where: before === undefined ? {} : { id: LessThan(before) },
      order: { id: 'DESC' },
      take: IMPORTS_PER_LIST,
    });
  }

  /** @throws ImportNotFoundError */
  async find(importId: number): Promise<ImportFile> {
    const file = await this.dataSource.manager.findOneBy(ImportFile, { id: importId });
    if (file === null) throw new ImportNotFoundError(importId);
    return file;
  }

  /** Like {@link find}, for somebody who sees what the file holds. It is recorded as a reading. */
  async show(importId: number, by: Actor): Promise<ImportFile> {
    const file = await this.find(importId);
    if (file.forgottenAt === null) await this.recordReading(file, by);
    return file;
  }

  /** Another import of the same bytes that was booked. */
  async bookedBefore({ id, sha256 }: ImportFile): Promise<number | undefined> {
    const others = await this.dataSource.manager.find(ImportFile, {
      where: { sha256, state: 'booked', id: LessThan(id) },
      order: { id: 'DESC' },
      take: 1,
    });
    return others[0]?.id;
  }

  /** The result file of the last run, in CSV. @throws ImportNotFoundError, ImportWithoutResultError */
  async result(importId: number, by: Actor): Promise<Readable> {
    const file = await this.find(importId);
    const parts = readParts(this.transactions, importId, 'result');
    const first = await parts.next();
    if (first.done === true) throw new ImportWithoutResultError(importId);
    await this.recordReading(file, by);
    const all = async function* (): AsyncGenerator<Buffer> {
      yield first.value;
      yield* parts;
    };
    return Readable.from(all(), { objectMode: false });
  }

  private async recordReading({ id, sha256, outcome, preview }: ImportFile, by: Actor): Promise<void> {
    const shown = (preview ?? []).flatMap(({ result }) => result.peopleId ?? []);
    await this.audit.recordReading({
      action: IMPORT_ACTIONS.read,
      subject: subjectOf(sha256),
      peopleIds: outcome?.peopleIds ?? shown,
      people: outcome?.people ?? shown.length,
      details: { importId: id },
      by,
    });
  }
}
