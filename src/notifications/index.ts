export { FinanceRecipients } from './finance-recipients.js';
export { notificationCommand } from './notices/notification.command.js';
export { NotificationsModule } from './notifications.module.js';
export { mailDirectoryOf } from './transport/mail-file-transport.js';
export { NOTIFICATION_ACTIONS } from './audit-actions.js';
export { Delivery } from './deliveries/delivery.entity.js';
export { Notice } from './notices/notice.entity.js';
