/** Who is to get the notice of a reversal? One job for each notice. */
export const NOTIFY_FINANCE = 'notify-finance';

/** One message to one recipient. */
export const SEND_DELIVERY = 'send-delivery';

export interface NotifyFinanceJob {
  readonly noticeId: string;
  /** How often it has been looked for a recipient in vain. */
  readonly waits: number;
}

export interface SendDeliveryJob {
  readonly deliveryId: number;
}
