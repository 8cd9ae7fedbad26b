import { Column, Entity, PrimaryColumn } from 'typeorm';
import { AfterTestReset, ServiceRights } from '../../../../database/index.js';

/** A part of an uploaded file, or of the result of its rows. Parts keep the memory small in which a file is moved. */
@Entity({ name: 'import_file_part' })
@ServiceRights({ insert: true, delete: true })
@AfterTestReset('emptied')
export class ImportFilePart {
  @PrimaryColumn({ type: 'integer' })
  importFileId!: number;

  @PrimaryColumn({ type: 'text' })
  kind!: 'file' | 'result';

  @PrimaryColumn({ type: 'integer' })
  position!: number;

  @Column({ type: 'bytea' })
  bytes!: Buffer;
}
