export { type Actor, nameOf } from './actor.js';
export { actionsWithMeanings, type AuditAction, auditActions, meaningOfAction } from './audit-actions.js';
export {
  type AuditDetails,
  type AuditFilter,
  AuditTrail,
  type ListedEntry,
  ENTRIES_PER_PAGE,
  PEOPLE_PER_READING,
} from './audit-trail.service.js';
export { auditCommand } from './audit.command.js';
export { AuditModule } from './audit.module.js';
export { COMMAND_LINE, processActor } from './process-actor.js';
export { AuditEntryView, auditEntryView } from './audit-entry-view.js';
export { AuditEntry } from './audit-entry.entity.js';
export { AuditSeal } from './seals/audit-seal.entity.js';
export { SEAL_OVERDUE_SECONDS, SealAuditTrail } from './seals/seal-audit-trail.service.js';
