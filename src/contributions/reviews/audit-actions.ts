import { auditActions } from '../../audit/index.js';

export const REVIEW_ACTIONS = auditActions('review', 'list', 'accept', 'close');

export const REASSIGNING_ACTIONS = auditActions('contribution', 'reassign');
