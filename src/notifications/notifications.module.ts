import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/index.js';
import { Configuration } from '../config/index.js';
import { HttpModule } from '../http/index.js';
import { JobsModule } from '../jobs/index.js';
import { PagesModule } from '../pages/index.js';
import { ComposeNotice } from './notices/compose-notice.js';
import { DeliveryMetrics } from './deliveries/delivery-metrics.js';
import { FinanceRecipients } from './finance-recipients.js';
import { NoticeDoctorChecks } from './notice-doctor-checks.js';
import { NoticeTasks } from './notice-tasks.js';
import { NoticeWarnings } from './notice-warnings.js';
import { Notices } from './notices/notices.service.js';
import { NoticePages } from './notices/pages/notice.pages.js';
import { NoticesController } from './notices/notices.controller.js';
import { NotifyFinanceWorker } from './notify-finance.worker.js';
import { ReversalListener } from './reversal.listener.js';
import { SendDeliveryWorker } from './deliveries/send-delivery.worker.js';
import { MailFileTransport } from './transport/mail-file-transport.js';
import { MailTransport } from './transport/mail-transport.js';
import { SmtpTransport } from './transport/smtp-transport.js';
import { TestSystemTransport } from './transport/test-system-transport.js';

/** Notifies Finance of every reversal: listener → notice → a delivery for each recipient → mail. */
@Module({
  imports: [AuthModule, HttpModule, JobsModule, PagesModule],
  controllers: [NoticesController, NoticePages],
  providers: [
    ReversalListener,
    ComposeNotice,
    DeliveryMetrics,
    FinanceRecipients,
    NotifyFinanceWorker,
    SendDeliveryWorker,
    NoticeDoctorChecks,
    NoticeTasks,
    NoticeWarnings,
    Notices,
    {
      provide: MailTransport,
      inject: [Configuration, FinanceRecipients],
      useFactory: ({ mail, database, mode }: Configuration, recipients: FinanceRecipients): MailTransport => {
        const { smtpUrl } = mail;
        const transport = smtpUrl === undefined ? new MailFileTransport(database.dataDir) : new SmtpTransport(smtpUrl);
        return mode === 'test' ? new TestSystemTransport(transport, recipients) : transport;
      },
    },
  ],
})
export class NotificationsModule {}
