import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { readPastedLines, wordsOf } from './pasted-lines.js';

const US = { country: 'US', slashDates: 'M/D/Y', minorUnits: 2 } as const;
const DEPOSITS = [
  { id: 1, depositId: 'po_1', currency: 'USD' },
  { id: 2, depositId: 'PO-2', currency: 'USD' },
  { id: 3, depositId: '4711', currency: 'USD' },
];

const LISTED = { deposits: DEPOSITS, reconciled: [{ id: 4, depositId: 'po_4' }] };

const read = (text: string): ReturnType<typeof readPastedLines> => readPastedLines(text, LISTED, US);
const reasonOf = (text: string): string | undefined => read(text).unmatched[0]?.reason;

describe('pasted lines of a bank’s statement', () => {
  it('fill the deposits whose payout ids they name, in any case', () => {
    const lines = [
      '11/25/2026\tTRANSFER PO_1\t$1,234.50',
      '',
      '2026-11-26,Transfer po-2,-20.00,',
      'Nov 27, 2026 credit 4711 (no fee) 800.00',
    ];
    expect(read(lines.join('\r\n'))).toEqual({
      filled: [
        { id: 1, amount: '1234.50', day: '2026-11-25' },
        { id: 2, amount: '-20.00', day: '2026-11-26' },
        { id: 3, amount: '800.00', day: '2026-11-27' },
      ],
      unmatched: [],
    });
  });

  it('keep the day that is there if they have none', () => {
    expect(read('po_1 5.00').filled).toEqual([{ id: 1, amount: '5.00', day: undefined }]);
  });

  it.each(['po_12 5.00', 'xpo_1 5.00', 'po_1-7 5.00', 'po_1.7 5.00', '1,47.11', '4711.00', '4,711.00', '4711-2 5.00'])(
    'do not name a deposit by a part of a word or a number: %j',
    (line) => {
      expect(read(line).filled).toEqual([]);
      expect(reasonOf(line)).toBe('It names the payout id of no deposit that is listed here.');
    },
  );

  it.each([
    ['po_1 and po-2 5.00', 'It names several deposits: 1, 2.'],
    ['po_1 paid', 'It has no amount that can be read for deposit 1.'],
    ['po_1 1.234,50', 'It has no amount that can be read for deposit 1.'],
    ['PO_4 5.00', 'Deposit 4 is already reconciled.'],
    ['po_1 €5.00', 'Its amount is in EUR, and deposit 1 is in USD.'],
  ])('%j fills nothing, with the reason', (line, reason) => {
    expect(read(line)).toEqual({ filled: [], unmatched: [{ text: line, reason }] });
  });

  it('fill nothing for a deposit that several lines name', () => {
    const { filled, unmatched } = read('po_1 5.00\npo-2 6.00\npo_1 5.00');
    expect(filled.map(({ id }) => id)).toEqual([2]);
    expect(unmatched.map(({ reason }) => reason)).toEqual(Array(2).fill('Another line names deposit 1, too.'));
  });

  it('fill nothing for a deposit that another line names beside others', () => {
    const { filled, unmatched } = read('po_1 and po-2 5.00\npo_1 5.00\npo-2 6.00');
    expect(filled).toEqual([]);
    expect(unmatched.map(({ reason }) => reason)).toEqual([
      'It names several deposits: 1, 2.',
      'Another line names deposit 1, too.',
      'Another line names deposit 2, too.',
    ]);
  });

  it('have words that may be payout ids', () => {
    expect(wordsOf('2026-11-26,"Transfer po-2";-20.00\r\nTransfer\tpo_4')).toEqual([
      '2026-11-26',
      'Transfer',
      'po-2',
      '-20.00',
      'po_4',
    ]);
  });

  it('are read as the church’s country writes amounts and days', () => {
    const church = { country: 'DE', slashDates: 'D/M/Y', minorUnits: 2 } as const;
    const deposits = [{ id: 1, depositId: 'po_1', currency: 'EUR' }];
    expect(
      readPastedLines('25.11.2026;Gutschrift po_1;1.234,50;EUR', { deposits, reconciled: [] }, church).filled,
    ).toEqual([{ id: 1, amount: '1234.50', day: '2026-11-25' }]);
  });

  it('either fill a row or are unmatched, each one, and no row twice', () => {
    const piece = fc.constantFrom(
      'po_1',
      'PO-2',
      '4711',
      '5.00',
      '1,234.50',
      '-7',
      '11/25/2026',
      'x',
      '(',
      ')',
      '\t',
      ',',
    );
    const line = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(' '));
    fc.assert(
      fc.property(fc.array(line, { maxLength: 6 }), (lines) => {
        const { filled, unmatched } = read(lines.join('\n'));
        expect(filled.length + unmatched.length).toBe(lines.filter((text) => text.trim() !== '').length);
        expect(new Set(filled.map(({ id }) => id)).size).toBe(filled.length);
        for (const { amount } of filled) expect(amount).toMatch(/^-?\d+(\.\d\d)?$/);
      }),
    );
  });

  it('fill each of many deposits from a line of its own, in any order', () => {
    const ids = fc.uniqueArray(fc.stringMatching(/^[a-z]{2}_[a-z0-9]{1,6}$/), { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(ids, (depositIds) => {
        const deposits = depositIds.map((depositId, index) => ({ id: index + 1, depositId, currency: 'USD' }));
        const lines = deposits.map(({ id, depositId }) => `2026-11-25 CREDIT ${depositId} ${id}.50`).toReversed();
        const { filled, unmatched } = readPastedLines(lines.join('\n'), { deposits, reconciled: [] }, US);
        expect(unmatched).toEqual([]);
        expect(Object.fromEntries(filled.map(({ id, amount }) => [id, amount]))).toEqual(
          Object.fromEntries(deposits.map(({ id }) => [id, `${id}.50`])),
        );
      }),
    );
  });
});
