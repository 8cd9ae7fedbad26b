import type { VNode } from 'preact';
import { Confirmation, Form, Link, SubmitButton, Table } from '../../../pages/index.js';
import { ExpectedError } from '../../../http/index.js';
import { BundleTick } from '../bundle-parts.js';
import type { BundleView } from '../bundle-view.js';
import type { ClosingResult } from './close-bundles.service.js';
import { type TickedBundle, tickName } from './ticked-bundles.js';

const BUNDLES = '/console/bundles';

/** Asks whether to close the ticked bundles, each with its count and total. */
export function TickedBundles({ ticked }: { readonly ticked: readonly TickedBundle[] }): VNode {
  const what = ticked.length === 1 ? '1 bundle' : `${ticked.length} bundles`;
  return (
    <Confirmation
      to={`${BUNDLES}/close`}
      fields={{
        ...Object.fromEntries(ticked.map(({ bundleId, holds }) => [tickName(bundleId), holds])),
        confirmed: 'true',
      }}
      button={`Close ${what} for ever`}
      back={BUNDLES}
    >
      <p>
        Closed bundles can never change or be opened again. One that gets a gift before you confirm stays open, and the
        others are closed.
      </p>
      <Table
        caption="Bundles to close"
        rows={ticked}
        keyOf={({ bundleId }) => bundleId}
        empty={null}
        columns={[
          { header: 'Bundle', cell: ({ bundleId }) => <Link to={`${BUNDLES}/${bundleId}`}>{bundleId}</Link> },
          { header: 'Holds', align: 'right', cell: ({ holds }) => holds },
        ]}
      />
    </Confirmation>
  );
}

interface ClosingResultsProps {
  readonly ticked: readonly TickedBundle[];
  readonly results: readonly ClosingResult[];
  /** The ticked bundles as they are now. */
  readonly bundles: readonly BundleView[];
}

/** What became of each ticked bundle. Those that stay open can be closed from here with what they hold now. */
export function ClosingResults({ ticked, results, bundles }: ClosingResultsProps): VNode {
  const rows = ticked.map(({ bundleId, holds }, index) => ({
    ...{ bundleId, holds, result: results[index] },
    bundle: bundles.find((one) => one.bundleId === bundleId),
  }));
  return (
    <>
      <p>Somebody else was faster with some of them. They stay ticked: compare them again before you close them.</p>
      <Table
        caption="Results"
        rows={rows}
        keyOf={({ bundleId }) => bundleId}
        empty={null}
        columns={[
          {
            header: 'Tick',
            cell: ({ bundle }) => bundle?.status === 'Open' && <BundleTick bundle={bundle} checked />,
          },
          { header: 'Bundle', cell: ({ bundleId }) => <Link to={`${BUNDLES}/${bundleId}`}>{bundleId}</Link> },
          { header: 'You saw', align: 'right', cell: ({ holds }) => holds },
          { header: 'Result', cell: ({ result }) => (result instanceof ExpectedError ? result.message : 'Closed') },
        ]}
      />
      <Form id="closing" to={`${BUNDLES}/close`}>
        <div class="buttons">
          <SubmitButton hotkey="c">Close the ticked bundles…</SubmitButton>
          <Link to={BUNDLES}>All bundles</Link>
        </div>
      </Form>
    </>
  );
}
