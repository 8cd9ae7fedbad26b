/** A person was found to be another one. Published inside the merge's transaction, both persons locked. */
export class PersonMerged {
  static readonly eventName = 'person.merged';

  /** Stays as a pointer; nothing may be added to it any more. */
  readonly fromPeopleId!: number;
  /** Who everything belongs to from now on. */
  readonly intoPeopleId!: number;
  /** User name, or "command line". */
  readonly by!: string;

  constructor(fields: PersonMerged) {
    Object.assign(this, fields);
  }
}
