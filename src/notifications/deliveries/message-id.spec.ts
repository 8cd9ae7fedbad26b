import { describe, expect, it } from '@jest/globals';
import { messageIdOf } from './message-id.js';

const EVENT = '7f0c1a52-0f6c-4f0e-9a44-1d2f3b4c5d6e';

describe('the Message-ID of a notice', () => {
  it('is the same for every attempt and any letter case of the address', () => {
    expect(messageIdOf(EVENT, 'Finance@Example.org')).toBe(messageIdOf(EVENT, 'finance@example.org'));
    expect(messageIdOf(EVENT, 'finance@example.org')).toBe(
      '<reversal.7f0c1a52-0f6c-4f0e-9a44-1d2f3b4c5d6e.28484fd1382b26ea@notices.offertory>',
    );
  });

  it('differs between recipients and between reversals', () => {
    const ids = [
      messageIdOf(EVENT, 'a@example.org'),
      messageIdOf(EVENT, 'b@example.org'),
      messageIdOf(EVENT.replace('7', '8'), 'a@example.org'),
    ];
    expect(new Set(ids).size).toBe(3);
  });
});
