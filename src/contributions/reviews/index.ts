export { closeReviewsOfMerged, closeReviewsOfReversed } from './close-reviews.js';
export { ReassignContribution } from './reassigning/reassign-contribution.service.js';
export { type ReviewReason, reviewReasons } from './review-reasons.js';
export { ReviewsModule } from './reviews.module.js';
export { REASSIGNING_ACTIONS, REVIEW_ACTIONS } from './audit-actions.js';
export { Review } from './review.entity.js';
export { Reassignment } from './reassigning/reassignment.entity.js';
