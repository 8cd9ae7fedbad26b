import { Injectable, Logger } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { AuxiliaryQueries, describeError, prepared } from '../../database/index.js';
import { clientNetwork } from '../../values/index.js';

/** A network is forgotten when its user has not logged in from it for so many days. */
const KEPT_DAYS = 180;
/** How many networks of one user are kept: the latest. A processor in a cloud may have many. */
const MAX_PER_USER = 1_000;
/** How long this process knows that it has recorded a network, in milliseconds. */
const RECORDED_MS = 12 * 60 * 60_000;
const MAX_RECORDED = 10_000;

const UPSERT = prepared(`
  INSERT INTO known_network AS known (user_id, network, last_seen) VALUES ($1, $2, CURRENT_DATE)
  ON CONFLICT ON CONSTRAINT known_network_pkey DO UPDATE SET last_seen = excluded.last_seen
  WHERE known.last_seen < excluded.last_seen`);

const DELETE_OLD = prepared(`
  DELETE FROM known_network WHERE user_id = $1 AND (last_seen < CURRENT_DATE - ${KEPT_DAYS} OR network IN (
    SELECT network FROM known_network WHERE user_id = $1 ORDER BY last_seen DESC, network OFFSET ${MAX_PER_USER}))`);

/**
 * An SQL condition: the user has logged in from the network in the last months.
 * @param userId, network SQL expressions; false if one is null.
 */
export function isKnownNetwork(userId: string, network: string): string {
  return `EXISTS (SELECT FROM known_network WHERE user_id = ${userId} AND network = ${network}
    AND last_seen >= CURRENT_DATE - ${KEPT_DAYS})`;
}

/**
 * Remembers from which networks each user has logged in. Passwords from these networks are checked in a lane of their
 * own, so that guesses from many other networks cannot keep a processor out, even one that has not called for long.
 */
@Injectable()
export class KnownNetworks {
  private readonly logger = new Logger('Login');
  private readonly recorded = new LRUCache<string, true>({ max: MAX_RECORDED, ttl: RECORDED_MS });

  constructor(private readonly queries: AuxiliaryQueries) {}

  /** Records that the user has logged in from this address, twice a day at most. The call does not wait for it. */
  remember(userId: number, ipAddress: string): void {
    const key = `${userId} ${ipAddress}`;
    if (this.recorded.has(key)) return;
    this.recorded.set(key, true);
    const network = clientNetwork(ipAddress);
    if (network === undefined) return;
    this.record(userId, network).catch((error: unknown) => {
      this.recorded.delete(key);
      this.logger.warn(`The network of a login was not recorded, and will be at the next one: ${describeError(error)}`);
    });
  }

  private async record(userId: number, network: string): Promise<void> {
    await this.queries.query(UPSERT, [userId, network]);
    await this.queries.query(DELETE_OLD, [userId]);
  }
}
