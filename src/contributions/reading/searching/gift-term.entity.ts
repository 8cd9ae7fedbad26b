import { Entity, PrimaryColumn } from 'typeorm';
import { AfterTestReset, ServiceRights } from '../../../database/index.js';

/** What kind of text a gift is found by. */
export const TERM_KINDS = ['amount', 'name', 'email', 'phone', 'notes'] as const;

export type TermKind = (typeof TERM_KINDS)[number];

/** A text by which a gift is found, besides those of its person. {@link IndexGifts} maintains the table. */
@Entity({ name: 'gift_term' })
@ServiceRights({ insert: true })
@AfterTestReset('emptied')
export class GiftTerm {
  @PrimaryColumn({ type: 'text', collation: 'C' })
  kind!: TermKind;

  @PrimaryColumn({ type: 'text', collation: 'C' })
  term!: string;

  @PrimaryColumn({ type: 'integer' })
  contributionId!: number;
}
