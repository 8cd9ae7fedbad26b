import { fault, type JsonSchema, read, type Reading } from '../../../values/index.js';

/**
 * Up to where a list was read. Lists go by id, or by change: each contribution has the number of its last change, and
 * goes to the end of the list when it changes again.
 */
export interface PagePosition {
  readonly order: 'id' | 'change';
  /** The id or change number of what was read last. */
  readonly number: number;
  /** The token of the epoch in which it was given out; the first one has none, nor do positions of older versions. */
  readonly epoch: string | null;
}

const POSITION_PATTERN = '^(?<order>id|change)\\.(?<number>0|[1-9]\\d{0,9})(?:\\.(?<epoch>[0-9a-f]{12}))?$';
const POSITION = new RegExp(POSITION_PATTERN, 'u');

/** What {@link readPosition} accepts. */
export const POSITION_SCHEMA: JsonSchema = { type: 'string', pattern: POSITION_PATTERN };

/** Reads what {@link positionText} writes. */
export function readPosition(value: unknown): Reading<PagePosition> {
  const { order, number, epoch } = (typeof value === 'string' ? POSITION.exec(value)?.groups : undefined) ?? {};
  if (order !== 'id' && order !== 'change') return fault('must be what the page before calls "next", unchanged');
  return read({ order, number: Number(number), epoch: epoch ?? null });
}

/** The position as callers carry it from one page to the next; they need not read anything out of it. */
export function positionText({ order, number, epoch }: PagePosition): string {
  return `${order}.${number}${epoch === null ? '' : `.${epoch}`}`;
}
