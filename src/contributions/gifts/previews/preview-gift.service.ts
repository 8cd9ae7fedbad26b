import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../../../audit/index.js';
import { type Caller, visibleGiftsOf } from '../../../auth/index.js';
import { prepared, Transactions } from '../../../database/index.js';
import type { FoundGiver } from '../../../people/index.js';
import { AddContribution } from '../add-contribution.service.js';
import type { AddContributionCommand } from '../recording/add-contribution-command.js';
import { GIFT_ACTIONS } from '../audit-actions.js';

/** The giver of a gift that was not recorded, as far as the caller may know the person. */
export interface PreviewedGiver {
  readonly wouldCreate: boolean;
  /** Undefined if a person would be created, or if the caller may not know who it is. */
  readonly peopleId: number | undefined;
  /** Empty without a `peopleId`. */
  readonly matchedOn: FoundGiver['matchedOn'];
  /** The matches that the caller may know, best first. */
  readonly candidates: readonly number[];
}

/** The persons among $2 of whom the user $1 has added a contribution. */
const SELECT_KNOWN = prepared(`
  SELECT found.id FROM unnest($2::integer[]) AS found(id)
  WHERE EXISTS (SELECT FROM contribution c WHERE c.person_id = found.id AND c.added_by = $1)`);

/** Finds the giver of a gift for its sender. Changes nothing in the books. */
@Injectable()
export class PreviewGift {
  constructor(
    private readonly addContribution: AddContribution,
    private readonly transactions: Transactions,
    private readonly audit: AuditTrail,
  ) {}

  /**
   * The giver that {@link AddContribution.preview} finds. A caller without the role Finance learns who the person is, and
   * which details agree, only if it has already added a gift of that person. A dry run leaves no gift that Finance could
   * see, so it must not tell whose phone number belongs to whose name. An answer that names persons is recorded as a reading.
   * @throws the errors of {@link AddContribution.preview}
   */
  async giverFor(caller: Caller, command: AddContributionCommand): Promise<PreviewedGiver> {
    const giver = await this.find(caller, command);
    const peopleIds = [giver.peopleId ?? [], giver.candidates].flat();
    const [first] = peopleIds;
    if (first !== undefined) {
      await this.audit.recordReading({
        action: GIFT_ACTIONS.preview,
        subject: `person ${first}`,
        peopleIds,
        by: caller.username,
      });
    }
    return giver;
  }

  private async find(caller: Caller, command: AddContributionCommand): Promise<PreviewedGiver> {
    const { found, earlier } = await this.addContribution.preview(command);
    const { by, peopleId, matchedOn, otherMatches } = found;
    if (by === 'created') return { wouldCreate: true, peopleId: undefined, matchedOn: [], candidates: [] };
    const matches = [peopleId, ...otherMatches];
    const known = await this.knownTo(caller, matches);
    // The first answer to the same gift named the person, who may have been merged since.
    const isKnown = earlier !== undefined || known.has(peopleId);
    return {
      wouldCreate: false,
      peopleId: isKnown ? peopleId : undefined,
      matchedOn: isKnown ? matchedOn : [],
      candidates: by === 'match' ? matches.filter((id) => known.has(id)) : [],
    };
  }

  private async knownTo(caller: Caller, persons: readonly number[]): Promise<ReadonlySet<number>> {
    const userId = visibleGiftsOf(caller);
    if (userId === undefined) return new Set(persons);
    const rows = await this.transactions.query<{ id: number }>(SELECT_KNOWN, [userId, persons]);
    return new Set(rows.map(({ id }) => id));
  }
}
