import { ImportError, quoted } from '../import-error.js';
import type { Format } from './format.js';
import { BREEZE } from './processors/breeze.js';
import { GIVELIFY } from './processors/givelify.js';
import { PAYPAL } from './processors/paypal.js';
import { PLANNING_CENTER } from './processors/planning-center.js';
import { PUSHPAY } from './processors/pushpay.js';
import { STRIPE } from './processors/stripe.js';
import { SUBSPLASH } from './processors/subsplash.js';
import { TITHELY } from './processors/tithely.js';
import { VANCO } from './processors/vanco.js';

/** The built-in formats. */
export const FORMATS: readonly Format[] = [
  ...[STRIPE, PAYPAL, TITHELY, PLANNING_CENTER, PUSHPAY, BREEZE, GIVELIFY, VANCO, SUBSPLASH],
];

/** @throws ImportError if there is no such format. */
export function formatNamed(name: string): Format {
  const format = FORMATS.find((each) => each.name === name);
  if (format !== undefined) return format;
  const names = FORMATS.map((each) => each.name).join(', ');
  throw new ImportError(`There is no format ${quoted(name)}. Formats are ${names}.`);
}
