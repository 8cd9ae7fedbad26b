/** A recorded gift, as answered to its sender. */
export interface AddedContribution {
  readonly contributionId: number;
  readonly peopleId: number;
  readonly newPerson: boolean;
  readonly multipleMatches: boolean;
  readonly source: string | null;
}
