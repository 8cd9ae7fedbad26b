import { ReadingProgress } from './reading-progress.entity.js';
import { GiftTerm } from './searching/gift-term.entity.js';
import { GiftToIndex } from './searching/gift-to-index.entity.js';
import { FundMonthTotal } from './totals/fund-month-total.entity.js';

/** The tables that are derived from contributions, for searches and totals. */
export const READING_ENTITIES = [GiftTerm, GiftToIndex, FundMonthTotal, ReadingProgress];
