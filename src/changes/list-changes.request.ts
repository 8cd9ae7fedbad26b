import { day, filterId, flag, OptionalField, text } from '../http/index.js';

/** The filter of the list of changes. Omitted fields do not filter. */
export class ListChangesRequest {
  @OptionalField(text(200), {
    description: 'Only actions of this user, or of a program, such as `command line: root`.',
    examples: ['treasurer'],
  })
  actor?: string;

  @OptionalField(text(100), { description: 'Only this action.', examples: ['bundle.close'] })
  action?: string;

  @OptionalField(text(200), { description: 'Only actions on this subject.', examples: ['person 152', 'user txt2give'] })
  subject?: string;

  @OptionalField(day, { description: 'Only actions of this day or later, in church time.', examples: ['2026-07-01'] })
  from?: string;

  @OptionalField(day, { description: 'Only actions of this day or earlier.', examples: ['2026-07-31'] })
  to?: string;

  @OptionalField(flag, {
    description: 'If false, entries that only say who read personal data are left out. The default is true.',
    examples: [false],
  })
  readings?: boolean;

  @OptionalField(filterId, { description: 'For the next page: `next` of the previous page.', examples: [1042] })
  before?: number;
}
