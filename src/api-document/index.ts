export { ApiDocumentModule } from './api-document.module.js';
export { failuresByOperation } from './failures.js';
