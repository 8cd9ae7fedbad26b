export { Deposit } from './tables/deposit.entity.js';
export { DepositAdjustment } from './tables/deposit-adjustment.entity.js';
export { DepositItem } from './tables/deposit-item.entity.js';
export { DEPOSIT_ACTIONS } from './audit-actions.js';
export { DepositsModule } from './deposits.module.js';
export { DepositOfPayment, depositOfPayment, type DepositOfPaymentRow, visibleDeposit } from './deposit-of-payment.js';
