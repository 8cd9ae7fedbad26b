import { type Format, ignored } from '../format.js';

const IGNORED = ['Net Amount', 'Batch Status', 'Payment Brand', 'Payment Type', 'Tax Deductible'];
const READ_IF_THERE = [
  'Email',
  'Phone',
  'Address',
  'Zip',
  'Check Number',
  'Fee',
  'Payment Method',
  'Currency',
  'Memo',
  'Refund Status',
];

/**
 * One row for each designation: a donation to several funds has several rows with its id. The API knows the statuses pending,
 * succeeded and failed. A donation that was refunded in part is refused, because no column says how much.
 */
export const PLANNING_CENTER: Format = {
  name: 'planning-center',
  processor: 'Planning Center Giving',
  export: 'Giving, Donations, Export to CSV: one row for each designation',
  basedOn:
    'Planning Center API documentation, Giving: Donation and Designation (payment_method, payment_status, received_at, ' +
    'fee), and "Import donation history" of its help. The names are those of the export as of 2026.',
  mapping: {
    'Donation ID': 'TransactionId',
    'Received Date': 'Date',
    'First Name': 'First',
    'Last Name': 'Last',
    Email: 'Email',
    Phone: 'Phone',
    Address: 'Address',
    Zip: 'Zip',
    Fund: 'FundName',
    Amount: 'Amount',
    Fee: 'Fee',
    Currency: 'Currency',
    'Payment Method': 'Method',
    'Check Number': 'CheckNumber',
    Memo: 'Notes',
    ...ignored(...IGNORED),
    only: {
      'Payment Status': ['Succeeded', 'Completed', 'Committed', ''],
      'Refund Status': ['', 'None', 'Not refunded'],
    },
    refunds: { 'Payment Status': ['Refunded'], 'Refund Status': ['Refunded', 'Fully refunded'] },
    leaveOut: { 'Payment Status': ['Pending', 'Failed'], 'Refund Status': [] },
    defaults: { Source: 'planning-center', Phone: null },
    // The fee of a donation is divided between its designations, as in the API.
    file: { amounts: '1,234.56', repeats: [] },
  },
  optional: [...IGNORED, ...READ_IF_THERE],
  otherNames: {
    ...{ 'Donation Id': 'Donation ID', 'Received At': 'Received Date', 'Date Received': 'Received Date' },
    ...{
      'Donor First Name': 'First Name',
      'Donor Last Name': 'Last Name',
      'Donor Email': 'Email',
      Status: 'Payment Status',
    },
    ...{ 'Phone Number': 'Phone', 'Fund Name': 'Fund', 'Designation Amount': 'Amount', 'Zip Code': 'Zip' },
  },
};
