import { type Format, ignored } from '../format.js';

const IGNORED = ['Net Amount', 'Deposit Status', 'Donation Type', 'Campus'];
const READ_IF_THERE = ['Donor Phone', 'Address', 'Zip', 'Fee', 'Deposit ID', 'Memo', 'Status'];

export const GIVELIFY: Format = {
  name: 'givelify',
  processor: 'Givelify',
  export: 'Analytics Suite, Donations, Export as CSV',
  basedOn:
    'Givelify help, "Donation reports", which names the content (donor, envelope, amount, date) but not the columns. The ' +
    'names are those of the export as of 2026.',
  mapping: {
    'Donation ID': 'TransactionId',
    'Donation Date': 'Date',
    'Donor Name': { name: 'First Last' },
    'Donor Email': 'Email',
    'Donor Phone': 'Phone',
    Address: 'Address',
    Zip: 'Zip',
    Envelope: 'FundName',
    Amount: 'Amount',
    Fee: 'Fee',
    'Deposit ID': 'PayoutId',
    Memo: 'Notes',
    ...ignored(...IGNORED),
    only: { Status: ['Completed', 'Complete', 'Success', 'Processed', 'Deposited'] },
    refunds: { Status: ['Refunded', 'Reversed'] },
    leaveOut: { Status: ['Failed', 'Pending', 'Processing', 'Declined', 'Canceled', 'Cancelled', 'Voided'] },
    defaults: { Source: 'givelify', Phone: null },
    file: { amounts: '1,234.56' },
  },
  optional: [...IGNORED, ...READ_IF_THERE],
  otherNames: {
    ...{
      'Confirmation Number': 'Donation ID',
      'Transaction ID': 'Donation ID',
      Date: 'Donation Date',
      Name: 'Donor Name',
    },
    ...{
      Email: 'Donor Email',
      Phone: 'Donor Phone',
      'Envelope Name': 'Envelope',
      'Donation Amount': 'Amount',
      Fees: 'Fee',
    },
  },
};
