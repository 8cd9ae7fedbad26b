import type { VNode } from 'preact';
import { CheckboxField, Form, type FormState, Link, SelectField, SubmitButton, TextField } from '../../pages/index.js';
import { MAX_URL } from '../endpoints/endpoint-url.js';
import { EVENT_TYPES, MEANING_OF_EVENTS } from '../endpoints/event-types.js';
import { WEBHOOKS_PAGE } from './addresses.js';

interface NewWebhookProps {
  /** Users whose gifts a webhook can be about. */
  readonly usernames: readonly string[];
  readonly state: FormState;
}

/** The form that creates a webhook. */
export function NewWebhook({ usernames, state }: NewWebhookProps): VNode {
  return (
    <Form to={WEBHOOKS_PAGE} state={state}>
      <TextField
        name="Url"
        label="Address"
        help="As the operator of the other program gave it to you. It begins with https://."
        maxLength={MAX_URL}
        required
        autofocus
      />
      <SelectField
        name="User"
        label="Whose events"
        help="For a processor, choose its user: it receives only the events of its own gifts, bundles and deposits."
        options={[['', 'All of the church'], ...usernames.map((name) => [name, name] as const)]}
      />
      <fieldset>
        <legend>It is told when</legend>
        {EVENT_TYPES.map((type) => (
          <CheckboxField key={type} name={type} label={MEANING_OF_EVENTS[type]} help={type} />
        ))}
      </fieldset>
      <div class="buttons">
        <SubmitButton>Add the webhook</SubmitButton>
        <Link to={WEBHOOKS_PAGE}>Cancel</Link>
      </div>
    </Form>
  );
}
