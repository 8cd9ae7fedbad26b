import { Module } from '@nestjs/common';
import { AuthModule } from '../../auth/index.js';
import { HttpModule } from '../../http/index.js';
import { IdempotencyModule } from '../../idempotency/index.js';
import { PeopleModule } from '../../people/index.js';
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
import { RefundRow } from './refunds/refund-row.js';
import { RefundedSoFar } from './refunds/refunded-so-far.js';
import { GiftsModule } from '../gifts/index.js';
import { ReversalsModule } from '../reversals/index.js';

/** Recording the gifts of a CSV file. */
@Module({
  imports: [AuthModule, HttpModule, IdempotencyModule, PeopleModule, GiftsModule, ReversalsModule],
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
    RefundRow,
    RefundedSoFar,
    ImportAudit,
  ],
})
export class ImportsModule {}
