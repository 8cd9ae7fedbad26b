/** A person was created, because the giver matched no one. Published inside the gift's transaction. */
export class PersonCreated {
  static readonly eventName = 'person.created';

  readonly peopleId!: number;
  /** As sent with the first gift. */
  readonly first!: string;
  readonly last!: string;

  constructor(fields: PersonCreated) {
    Object.assign(this, fields);
  }
}
