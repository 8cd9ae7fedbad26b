import { fault, type JsonSchema, read, type Reading } from '../../http/index.js';

/**
 * Up to where a list was read. Lists go by id, or by change: each contribution has the number of its last change, and
 * goes to the end of the list when it changes again.
 */
export interface PagePosition {
  readonly order: 'id' | 'change';
  /** The id or change number of what was read last. */
  readonly number: number;
}

const POSITION_PATTERN = '^(?<order>id|change)\\.(?<number>0|[1-9]\\d{0,9})$';
const POSITION = new RegExp(POSITION_PATTERN, 'u');

/** What {@link readPosition} accepts. */
export const POSITION_SCHEMA: JsonSchema = { type: 'string', pattern: POSITION_PATTERN };

/** Reads what {@link positionText} writes. */
export function readPosition(value: unknown): Reading<PagePosition> {
  const { order, number } = (typeof value === 'string' ? POSITION.exec(value)?.groups : undefined) ?? {};
  if (order !== 'id' && order !== 'change') return fault('must be what the page before calls "next", unchanged');
  return read({ order, number: Number(number) });
}

/** The position as callers carry it from one page to the next; nothing for them to read anything out of. */
export function positionText({ order, number }: PagePosition): string {
  return `${order}.${number}`;
}
