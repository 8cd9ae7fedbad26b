import { auditActions } from '../../audit/index.js';

export const BUNDLE_ACTIONS = auditActions('bundle', {
  close: 'closed a bundle',
  export: 'exported the gifts of a bundle',
});
