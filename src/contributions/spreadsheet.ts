import type { Options } from 'csv-stringify';

/**
 * CSV as a spreadsheet opens it rightly: lines as RFC 4180 has them. Text that would be taken for a formula gets an
 * apostrophe in front, which a spreadsheet does not show (OWASP, "CSV Injection"): much of it is somebody else's.
 */
export const SPREADSHEET: Options = { record_delimiter: 'windows', escape_formulas: true };
