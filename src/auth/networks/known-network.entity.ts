import { Column, Entity, PrimaryColumn } from 'typeorm';
import { AfterTestReset, ServiceRights } from '../../database/index.js';

/** A network from which a user has logged in. */
@Entity({ name: 'known_network' })
@ServiceRights({ insert: true, update: ['last_seen'], delete: true })
@AfterTestReset('kept')
export class KnownNetwork {
  @PrimaryColumn({ type: 'integer' })
  userId!: number;

  /** An IPv4 address, or the /64 of an IPv6 address. */
  @PrimaryColumn({ type: 'cidr' })
  network!: string;

  @Column({ type: 'date' })
  lastSeen!: string;
}
