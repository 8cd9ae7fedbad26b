import { Module } from '@nestjs/common';
import { AuthModule } from '../../auth/index.js';
import { HttpModule } from '../../http/index.js';
import { IdempotencyModule } from '../../idempotency/index.js';
import { JobsModule } from '../../jobs/index.js';
import { PagesModule } from '../../pages/index.js';
import { PeopleModule } from '../../people/index.js';
import { FundsModule } from '../funds/index.js';
import { ImportFileRow } from './import-file-row.js';
import { ImportRow } from './import-row.js';
import { ImportGifts } from './import-gifts.service.js';
import { NumberRows } from './identity/number-rows.js';
import { RecordedRows } from './identity/recorded-rows.js';
import { RowIdentities } from './identity/row-identity.js';
import { RowKeys } from './identity/row-keys.js';
import { PreviewRow } from './recording/preview-row.js';
import { ReadRow } from './files/read-row.js';
import { RecordRows } from './recording/record-rows.js';
import { ImportAudit } from './results/import-audit.js';
import { RecordedRefunds } from './refunds/recorded-refunds.js';
import { RefundRow } from './refunds/refund-row.js';
import { RefundedSoFar } from './refunds/refunded-so-far.js';
import { GiftsModule } from '../gifts/index.js';
import { ReversalsModule } from '../reversals/index.js';
import { ForgetFiles } from './uploads/files/forget-files.service.js';
import { UploadFile } from './uploads/files/upload-file.service.js';
import { ImportsController } from './uploads/imports.controller.js';
import { ForgetImportPages } from './uploads/files/forget-import.pages.js';
import { MappingPage } from './uploads/mapping/mapping-page.service.js';
import { MappingPages } from './uploads/mapping/mapping.pages.js';
import { BookImportPages } from './uploads/running/book-import.pages.js';
import { ImportPages } from './uploads/imports.pages.js';
import { ImportFileWorker } from './uploads/running/import-file.worker.js';
import { PreviewRows } from './uploads/running/preview-rows.js';
import { StartRun } from './uploads/running/start-run.service.js';
import { Imports } from './uploads/showing/imports.service.js';

/** Recording the gifts of a CSV file, at the command line, on the console and over HTTP. */
@Module({
  imports: [
    ...[AuthModule, HttpModule, IdempotencyModule, JobsModule, PagesModule, PeopleModule],
    ...[FundsModule, GiftsModule, ReversalsModule],
  ],
  controllers: [ImportsController, ImportPages, MappingPages, BookImportPages, ForgetImportPages],
  providers: [
    ImportFileRow,
    ImportRow,
    ImportGifts,
    NumberRows,
    RecordedRows,
    RowIdentities,
    RowKeys,
    ReadRow,
    RecordRows,
    PreviewRow,
    RecordedRefunds,
    RefundRow,
    RefundedSoFar,
    ImportAudit,
    MappingPage,
    UploadFile,
    ForgetFiles,
    StartRun,
    ImportFileWorker,
    PreviewRows,
    Imports,
  ],
})
export class ImportsModule {}
