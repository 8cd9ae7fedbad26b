import { auditActions } from '../audit/index.js';

/** For pages that read personal data beside the use cases that record it. One entry for each request. */
export const PERSONAL_ACTIONS = auditActions('personal', { read: 'read a page with personal data' });
