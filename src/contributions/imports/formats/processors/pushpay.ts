import { type Format, ignored } from '../format.js';

const IGNORED = ['Tax Deductible', 'Payer ID', 'Member Type', 'Net Amount', 'Settlement Status', 'Payment Reference'];
const READ_IF_THERE = [
  ...['Email', 'Mobile Number', 'Address', 'Zip', 'Payment ID', 'Payment Type', 'Currency', 'Settlement ID', 'Note'],
];

export const PUSHPAY: Format = {
  name: 'pushpay',
  processor: 'Pushpay',
  export: 'Transactions (or Payments), Export to CSV',
  basedOn:
    'port.church, "Giving import: Pushpay" (Payer ID, First Name, Last Name, Mobile Number, Fund Name, Amount, Payment Type, ' +
    'Received On), and Pushpay, "Preparing your data for import". Payment ID, Status and Currency are as of 2026.',
  mapping: {
    'Payment ID': 'TransactionId',
    'Received On': 'Date',
    'First Name': 'First',
    'Last Name': 'Last',
    Email: 'Email',
    'Mobile Number': 'Phone',
    Address: 'Address',
    Zip: 'Zip',
    'Fund Name': 'FundName',
    Amount: 'Amount',
    Currency: 'Currency',
    'Payment Type': 'Method',
    'Settlement ID': 'PayoutId',
    Note: 'Notes',
    ...ignored(...IGNORED),
    only: { Status: ['Success', 'Succeeded', 'Completed', 'Paid'] },
    refunds: { Status: ['Refunded', 'Charged back', 'Chargeback'] },
    leaveOut: { Status: ['Failed', 'New', 'Pending', 'Processing', 'Declined', 'Canceled', 'Cancelled', 'Voided'] },
    defaults: { Source: 'pushpay', Phone: null },
    file: { amounts: '1,234.56' },
  },
  optional: [...IGNORED, ...READ_IF_THERE],
  otherNames: {
    ...{ 'Transaction ID': 'Payment ID', 'Given On': 'Received On', 'Email Address': 'Email', Fund: 'Fund Name' },
    ...{ 'Payment Status': 'Status', 'Address 1': 'Address', 'Payment Method': 'Payment Type', Memo: 'Note' },
  },
};
