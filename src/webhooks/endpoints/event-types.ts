/** The events that an endpoint can choose, as in `type` of a message. */
export const EVENT_TYPES = [
  'contribution.recorded',
  'contribution.reversed',
  'person.merged',
  'bundle.closed',
  'deposit.reconciled',
] as const;

export type EventType = (typeof EVENT_TYPES)[number];

/** What each event means. The pages and the help of the command have these texts. */
export const MEANING_OF_EVENTS: Readonly<Record<EventType, string>> = {
  'contribution.recorded': 'a gift was recorded',
  'contribution.reversed': 'a gift was reversed, wholly or in part',
  'person.merged': 'two persons were merged into one',
  'bundle.closed': 'a bundle was closed',
  'deposit.reconciled': 'a deposit was reconciled with the bank',
};

/** The type of the message that `webhook test` sends. No endpoint has to choose it. */
export const TEST_TYPE = 'webhook.test';

/** Events about persons. They are of the whole church, so no endpoint of a user can choose them. */
export const EVENTS_OF_THE_CHURCH: readonly EventType[] = ['person.merged'];
