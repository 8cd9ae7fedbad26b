export { notificationCommand } from './notification.command.js';
export { NotificationsModule } from './notifications.module.js';
