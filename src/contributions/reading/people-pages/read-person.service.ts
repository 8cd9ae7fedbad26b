import { Injectable } from '@nestjs/common';
import type { Actor, AuditEntryView } from '../../../audit/index.js';
import { PersonHistory } from '../../../people/index.js';
import type { GiverView } from '../giving/giver-view.js';
import { Giving } from '../giving/giving.service.js';
import type { FoundGift } from '../searching/found-gift-view.js';
import { SearchGifts } from '../searching/search-gifts.service.js';

/** A person as its page shows it. */
export interface PersonOnPage {
  readonly person: GiverView;
  /** The gifts that were recorded last. */
  readonly gifts: readonly FoundGift[];
  readonly changes: readonly AuditEntryView[];
}

/** How many gifts the page of a person shows. The others are found by the search for gifts. */
const LATEST_GIFTS = 10;

/** Reads a person with gifts and changes. */
@Injectable()
export class ReadPerson {
  constructor(
    private readonly giving: Giving,
    private readonly searchGifts: SearchGifts,
    private readonly history: PersonHistory,
  ) {}

  /** The reading is recorded. @throws GiverNotFoundError */
  async of(peopleId: number, by: Actor): Promise<PersonOnPage> {
    const person = await this.giving.of(peopleId, by);
    // The search would show the gifts of the surviving person.
    const gifts = person.mergedInto === null ? await this.searchGifts.latestOf(peopleId, LATEST_GIFTS) : [];
    return { person, gifts, changes: await this.history.of(peopleId) };
  }
}
