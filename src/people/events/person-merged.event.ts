/** A person was merged into another. Published inside the merge's transaction, while both persons are locked. */
export class PersonMerged {
  static readonly eventName = 'person.merged';

  /** The merged person, which remains as a pointer. Nothing may be added to it any more. */
  readonly fromPeopleId!: number;
  /** The survivor, who owns everything from now on. */
  readonly intoPeopleId!: number;
  /** User name, or "command line". */
  readonly by!: string;

  constructor(fields: PersonMerged) {
    Object.assign(this, fields);
  }
}
