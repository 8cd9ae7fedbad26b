import { Module } from '@nestjs/common';
import { AuthModule } from '../../auth/index.js';
import { HttpModule } from '../../http/index.js';
import { IdempotencyModule } from '../../idempotency/index.js';
import { PagesModule } from '../../pages/index.js';
import { BundlesModule } from '../bundles/index.js';
import { ReviewsModule } from '../reviews/index.js';
import { DepositDesk } from './commands/deposit-desk.service.js';
import { DepositMetrics } from './deposit-metrics.js';
import { DepositTasks } from './deposit-tasks.js';
import { DepositPayout } from './filling/deposit-payout.service.js';
import { FillingController } from './filling/filling.controller.js';
import { LateItems } from './filling/late-items.service.js';
import { RemoveItems } from './filling/remove-items.service.js';
import { SendDepositController } from './filling/send-deposit.controller.js';
import { SendDeposit } from './filling/send-deposit.service.js';
import { DepositRemarks } from './pages/bundle-remarks.js';
import { DepositListPages } from './pages/listing/deposit-list.pages.js';
import { MakeDepositsPages } from './pages/listing/make-deposits.pages.js';
import { BankStatementPages } from './pages/month/bank-statement.pages.js';
import { CloseDepositBundlesPages } from './pages/month/close-bundles.pages.js';
import { ReconcileDepositsPages } from './pages/month/reconcile-deposits.pages.js';
import { AddItemsPages } from './pages/one/add-items.pages.js';
import { DepositPages } from './pages/one/deposit.pages.js';
import { ReconcileDepositPages } from './pages/one/reconcile-deposit.pages.js';
import { AdjustDeposit } from './settling/adjust-deposit.service.js';
import { CloseDepositBundles } from './settling/close-deposit-bundles.service.js';
import { EnterBank } from './settling/enter-bank.service.js';
import { ReconcileDeposit } from './settling/reconcile-deposit.service.js';
import { SettlingController } from './settling/settling.controller.js';
import { DepositsController } from './showing/deposits.controller.js';
import { Deposits } from './showing/deposits.service.js';
import { Undeposited } from './showing/undeposited.service.js';
import { Unsettled } from './showing/unsettled.service.js';

/** Deposits: what processors pay out, and whether it is in the bank. */
@Module({
  imports: [AuthModule, HttpModule, IdempotencyModule, PagesModule, BundlesModule, ReviewsModule],
  controllers: [
    SendDepositController,
    FillingController,
    SettlingController,
    DepositsController,
    DepositListPages,
    MakeDepositsPages,
    BankStatementPages,
    ReconcileDepositsPages,
    CloseDepositBundlesPages,
    // The last ones: their paths begin with an id.
    ReconcileDepositPages,
    AddItemsPages,
    DepositPages,
  ],
  providers: [
    AdjustDeposit,
    CloseDepositBundles,
    DepositDesk,
    DepositMetrics,
    DepositPayout,
    DepositRemarks,
    Deposits,
    DepositTasks,
    EnterBank,
    LateItems,
    ReconcileDeposit,
    RemoveItems,
    SendDeposit,
    Undeposited,
    Unsettled,
  ],
})
export class DepositsModule {}
