import type { VNode } from 'preact';
import { Link } from '../../../pages/index.js';
import type { FoundGift } from '../searching/found-gift-view.js';

/** The giver's name now, with a link, and the name as sent if it is another. @param to the page to which it leads. */
export function GiverName({
  giver: { first, last, asSent },
  to,
}: Pick<FoundGift, 'giver'> & { readonly to: string }): VNode {
  return (
    <span>
      <Link to={to}>
        {first} {last}
      </Link>
      {asSent !== null && (
        <small>
          {' '}
          sent as {asSent.first} {asSent.last}
        </small>
      )}
    </span>
  );
}
