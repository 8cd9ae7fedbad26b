import { auditActions } from '../../audit/index.js';

export const BUNDLE_ACTIONS = auditActions('bundle', 'close', 'export');
