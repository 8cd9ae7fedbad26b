import { Injectable, OnModuleInit } from '@nestjs/common';
import type { VNode } from 'preact';
import { groupedCount, Link } from '../../pages/index.js';
import { BundleRemarks } from '../bundles/index.js';
import { Reviews } from './reviews.service.js';

interface OpenReviewsProps {
  readonly count: number;
  /** Of what they are gifts: "this bundle". */
  readonly of: string;
}

/** How many gifts of something final have open reviews. They can be decided before or after. */
export function OpenReviews({ count, of }: OpenReviewsProps): VNode {
  const [have, they, them] = count === 1 ? ['has', 'it', 'it'] : ['have', 'they', 'them'];
  return (
    <span>
      {groupedCount(count)} {count === 1 ? 'gift' : 'gifts'} in {of} {have} an{' '}
      <Link to="/console/reviews">open review</Link>: {they} may have been sent twice, for example. You can also decide{' '}
      {them} later: what is taken back then is subtracted in another bundle or deposit.
    </span>
  );
}

/** Says of a bundle how many of its gifts have open reviews. */
@Injectable()
export class ReviewRemarks implements OnModuleInit {
  constructor(
    private readonly remarks: BundleRemarks,
    private readonly reviews: Reviews,
  ) {}

  onModuleInit(): void {
    this.remarks.add(async (bundleIds) => {
      const counts = await this.reviews.countOpenIn(bundleIds);
      return new Map(
        [...counts].map(([id, count]) => [id, <OpenReviews key="reviews" count={count} of="this bundle" />]),
      );
    });
  }
}
