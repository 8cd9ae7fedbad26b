import { fault, type JsonSchema, read, type Reading } from '../../../values/index.js';

/**
 * A position in a list. Lists are ordered by id or by change. Each contribution has the number of its last change, and
 * moves to the end of the list of changes when it changes again.
 */
export interface PagePosition {
  readonly order: 'id' | 'change';
  /** The id or change number of the last contribution read. */
  readonly number: number;
  /** The token of the epoch of the answer; null in the first epoch, and in positions of older versions. */
  readonly epoch: string | null;
}

const POSITION_PATTERN = '^(?<order>id|change)\\.(?<number>0|[1-9]\\d{0,9})(?:\\.(?<epoch>[0-9a-f]{12}))?$';
const POSITION = new RegExp(POSITION_PATTERN, 'u');

/** What {@link readPosition} accepts. */
export const POSITION_SCHEMA: JsonSchema = {
  type: 'string',
  minLength: 'id.0'.length,
  maxLength: 'change.2147483647.0123456789ab'.length,
  pattern: POSITION_PATTERN.replaceAll(/\?<\w+>/g, ''),
};

/** Reads what {@link positionText} writes. */
export function readPosition(value: unknown): Reading<PagePosition> {
  const { order, number, epoch } = (typeof value === 'string' ? POSITION.exec(value)?.groups : undefined) ?? {};
  if (order !== 'id' && order !== 'change') return fault('must be what the page before calls "next", unchanged');
  return read({ order, number: Number(number), epoch: epoch ?? null });
}

/** The position as text, which callers send back unchanged. */
export function positionText({ order, number, epoch }: PagePosition): string {
  return `${order}.${number}${epoch === null ? '' : `.${epoch}`}`;
}
