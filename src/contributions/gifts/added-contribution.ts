/** A gift that was recorded, as its sender is told. */
export interface AddedContribution {
  readonly contributionId: number;
  readonly peopleId: number;
  readonly newPerson: boolean;
  readonly multipleMatches: boolean;
  readonly source: string | null;
}
