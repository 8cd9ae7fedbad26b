export { lastAmountIn } from './amount-in-line.js';
export { AMOUNT_NOTATIONS, type AmountNotation, readCellAmount, withoutSign } from './cell-amount.js';
export { contradicts, type DateOrder, readCellDate, slashOrder } from './cell-date.js';
export { takeDays } from './days-in-line.js';
export { currencyInHeader } from './header-currency.js';
export { notationOfCountry } from './notation-of-country.js';
