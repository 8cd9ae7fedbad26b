export { type AuditAction, auditActions } from './audit-actions.js';
export { type AuditDetails, AuditTrail } from './audit-trail.service.js';
export { auditCommand } from './audit.command.js';
export { AuditModule } from './audit.module.js';
export { COMMAND_LINE, processActor } from './process-actor.js';
export { AuditEntry } from './audit-entry.entity.js';
