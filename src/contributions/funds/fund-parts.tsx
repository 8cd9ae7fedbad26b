import type { VNode } from 'preact';
import {
  Facts,
  Form,
  type FormState,
  HiddenField,
  Link,
  Moment,
  SubmitButton,
  Table,
  TextField,
} from '../../pages/index.js';
import { MAX_FUND_NAME } from './fund.entity.js';
import type { FundDetails, FundView } from './fund-view.js';

const FUNDS = '/console/funds';

/** All funds. */
export function FundTable({ funds }: { readonly funds: readonly FundView[] }): VNode {
  return (
    <>
      <p>
        A fund is a purpose for which people give. Gifts that name no fund go to the default fund. Gifts to a closed
        fund are still recorded, because the money has been paid, and wait under Reviews.
      </p>
      <Table
        caption="Funds"
        rows={funds}
        keyOf={({ fundId }) => fundId}
        empty="There is no fund yet. Gifts need one: add the fund for general giving first."
        columns={[
          { header: 'Name', cell: ({ fundId, name }) => <Link to={`${FUNDS}/${fundId}`}>{name}</Link> },
          { header: 'Number', align: 'right', cell: ({ fundId }) => fundId },
          { header: 'Status', cell: ({ open }) => (open ? 'Open' : 'Closed') },
          { header: 'Default', cell: (fund) => (fund.default ? 'Default' : null) },
        ]}
      />
    </>
  );
}

/** The form that adds a fund. */
export function NewFund({ state }: { readonly state: FormState }): VNode {
  return (
    <Form to={FUNDS} state={state}>
      <TextField
        name="Name"
        label="Name"
        help="As your giving page and your reports show it, such as “Building”."
        maxLength={MAX_FUND_NAME}
        required
        autofocus
      />
      <div class="buttons">
        <SubmitButton>Add the fund</SubmitButton>
        <Link to={FUNDS}>Cancel</Link>
      </div>
    </Form>
  );
}

interface FundToChangeProps {
  readonly fund: FundDetails;
  /** The fund that is the default now. */
  readonly defaultFund: FundView | undefined;
  readonly mayChange: boolean;
  readonly renaming: FormState;
  /** The name with which a new one is compared: a form that is shown again keeps the one with which it began. */
  readonly seenName: string;
}

/** A fund, with its former names and, for Finance, what can be changed. */
export function FundToChange(props: FundToChangeProps): VNode {
  const { fund, mayChange } = props;
  return (
    <>
      <Facts
        facts={[
          ['FundId, for processors', fund.fundId],
          ['Status', fund.open ? 'Open' : 'Closed'],
          ['Default', fund.default ? 'Yes: gifts that name no fund go here' : 'No'],
        ]}
      />
      {mayChange && <Changes {...props} />}
      <h2>Former names</h2>
      <Table
        caption="Former names"
        rows={fund.formerNames}
        keyOf={({ until }) => until}
        empty="It has always had this name."
        columns={[
          { header: 'Name', cell: ({ name }) => name },
          { header: 'Until', cell: ({ until }) => <Moment value={new Date(until)} /> },
        ]}
      />
    </>
  );
}

function Changes(props: FundToChangeProps): VNode {
  return (
    <>
      <Rename {...props} />
      <OpenOrClose {...props} />
    </>
  );
}

function Rename({ fund, seenName, renaming }: FundToChangeProps): VNode {
  return (
    <>
      <h2>Rename</h2>
      <Form to={`${FUNDS}/${fund.fundId}/rename`} state={renaming}>
        <HiddenField name="Was" value={seenName} />
        <TextField
          name="Name"
          label="New name"
          help="Reports and lists show the new name, also for earlier gifts. Processors may go on sending the old name: it still leads here."
          value={fund.name}
          maxLength={MAX_FUND_NAME}
          required
          hotkey="e"
        />
        <SubmitButton>Rename</SubmitButton>
      </Form>
    </>
  );
}

function OpenOrClose({ fund, defaultFund }: FundToChangeProps): VNode {
  const address = `${FUNDS}/${fund.fundId}`;
  return (
    <>
      <h2>{fund.open ? 'Close or make default' : 'Open'}</h2>
      <p>
        {fund.open
          ? 'Gifts to a closed fund are still recorded, and wait under Reviews. You can open it again.'
          : 'Gifts to this fund are recorded, and wait under Reviews.'}
      </p>
      <div class="buttons">
        {fund.open ? (
          <Link to={`${address}/close`} button hotkey="c">
            Close the fund…
          </Link>
        ) : (
          <Form to={`${address}/open`}>
            <SubmitButton kind="quiet" hotkey="c">
              Open the fund
            </SubmitButton>
          </Form>
        )}
        {!fund.default && fund.open && (
          <Link to={`${address}/default`} button hotkey="d">
            {defaultFund === undefined
              ? 'Make it the default…'
              : `Make it the default in place of ${defaultFund.name}…`}
          </Link>
        )}
      </div>
    </>
  );
}
