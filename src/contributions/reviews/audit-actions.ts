import { auditActions } from '../../audit/index.js';

export const REVIEW_ACTIONS = auditActions('review', {
  list: 'read the list of reviews',
  read: 'read a review',
  accept: 'closed a review, because the gift is right',
  close: 'closed a review by another change',
});

export const REASSIGNING_ACTIONS = auditActions('contribution', {
  reassign: 'changed the giver of a gift',
});
