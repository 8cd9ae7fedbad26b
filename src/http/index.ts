export { AccessEntry } from './access-entry.js';
export {
  CrossSiteRequestError,
  InvalidRequestError,
  NothingHereError,
  ServiceBusyError,
  TooManyRequestsError,
} from './errors.js';
export { foreignHeader } from './cross-site.js';
export { DeclaredInputGuard } from './declared-input.guard.js';
export { anyCasePattern, INSTANT, type JsonSchema, orNull } from './document/json-schema.js';
export {
  documentedParameters,
  documentParameter,
  GROUPS,
  Operation,
  type OperationDescription,
  operationOf,
} from './document/operation.js';
export { type Parameter, parametersOf, Reads } from './document/parameters.js';
export { inputsOf, type RouteInputs } from './document/route-inputs.js';
export { type AnswerProperty, isListOf, listOf, propertiesOf, Property } from './document/property.js';
export { MEANING_OF } from './error-meanings.js';
export { type ErrorCode, ExpectedError, STATUS_OF } from './expected-error.js';
export { expectedErrorOf } from './expected-error-of.js';
export { PrototypedExpressAdapter } from './express-adapter.js';
export { DAY_SCHEMA, readDay } from './fields/day.js';
export { EMAIL_SCHEMA, isStandardEmail, readEmail } from './fields/email.js';
export {
  fieldReader,
  type FieldReader,
  OptionalField,
  RequiredField,
  RequiredWith,
  schemaOfField,
} from './fields/field.js';
export { FLAG_SCHEMA, readFlag } from './fields/flag.js';
export { ID_SCHEMA, PLAIN_ID_SCHEMA, readId, readPathId } from './fields/id.js';
export { fault, isFault, read, type Reading } from './fields/reading.js';
export {
  integerTextSchema,
  isAbsent,
  isBlank,
  normalizeText,
  readIntegerText,
  readText,
  textSchema,
  trimText,
  withoutInvisible,
} from './fields/text.js';
export { HttpModule } from './http.module.js';
export { JsonBodyGuard } from './json-body.guard.js';
export { foldFieldName, readJsonObject } from './read-json.js';
export { Problem, problem } from './problem.js';
export { parseQuery, type Query, valueOf } from './query.js';
export { QueryPipe } from './query.pipe.js';
export { RequestObserver } from './request-observer.js';
export { giveRequestId } from './request-id.js';
export { fieldsOf, RequestReader } from './request-reader.js';
export { setSecurityHeaders } from './security-headers.js';
export { answerUnreadable } from './unreadable-requests.js';
