/** Finds the recipients of a notice. One job for each notice. */
export const NOTIFY_FINANCE = 'notify-finance';

/** Sends one mail to one recipient. */
export const SEND_DELIVERY = 'send-delivery';

export interface NotifyFinanceJob {
  readonly noticeId: string;
  /** How often no recipient was found. */
  readonly waits: number;
}

export interface SendDeliveryJob {
  readonly deliveryId: number;
}
