import { expect, it } from '@jest/globals';
import { UNKNOWN_DISPUTE, withLostDispute } from './lost-dispute.js';

it.each([
  ['100.00', undefined, '100.00'],
  ['90', '10.00', '100.00'],
  // In a currency without decimals.
  ['500', '0', '500'],
  ['500', undefined, '500'],
  ['490', '10', '500'],
  ['10', 'much', 'much'],
])('%s lost in a dispute, and %s refunded, is %s taken back', (DisputedAmount, RefundedAmount, expected) => {
  const refunded = RefundedAmount === undefined ? {} : { RefundedAmount };
  expect(withLostDispute({ Amount: '1', DisputedAmount, ...refunded })).toEqual({
    Amount: '1',
    RefundedAmount: expected,
  });
});

it.each([undefined, '', 'all', '0', '0.00', '-5'])('a lost dispute over %j is refused', (DisputedAmount) => {
  expect(withLostDispute({ DisputedAmount, RefundedAmount: '5' })).toEqual({ RefundedAmount: UNKNOWN_DISPUTE });
});
