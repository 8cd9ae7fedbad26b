import { Church } from '../../src/config/index.js';

/** A church in Chicago, for tests of rules that depend on the church. */
export const GRACE = new Church({
  name: 'Grace Church',
  timeZone: 'America/Chicago',
  country: 'US',
  currency: 'USD',
  minorUnits: 2,
  slashDates: 'M/D/Y',
});
