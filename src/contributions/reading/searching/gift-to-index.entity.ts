import { Column, Entity, PrimaryGeneratedColumn } from 'typeorm';
import { AfterTestReset, ServiceRights } from '../../../database/index.js';

/** Gifts whose terms are missing or outdated: one, or a range of ids. New gifts are not here; see reading_progress. */
@Entity({ name: 'gift_to_index' })
@ServiceRights({ insert: true, update: ['last_gift_id'], delete: true })
@AfterTestReset('emptied')
export class GiftToIndex {
  @PrimaryGeneratedColumn('uuid')
  id!: string;

  @Column({ type: 'integer' })
  firstGiftId!: number;

  @Column({ type: 'integer' })
  lastGiftId!: number;
}
