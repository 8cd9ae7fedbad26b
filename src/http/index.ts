export { AccessEntry } from './observing/access-entry.js';
export {
  CrossSiteRequestError,
  faultsOfReadings,
  type FieldFault,
  InvalidRequestError,
  PathNotFoundError,
  RetryLaterError,
  ServiceBusyError,
} from './problems/errors.js';
export { isUnderConsole } from './areas.js';
export { crossSiteHeader } from './cross-site-header.js';
export { DeclaredInputGuard } from './requests/declared-input.guard.js';
export {
  type ApiGroup,
  documentedParameters,
  documentParameter,
  Operation,
  type OperationDescription,
  operationOf,
} from './document/operation.js';
export { type Parameter, parametersOf, Reads } from './document/parameters.js';
export { inputsOf, isBodyOptional, type RouteInputs } from './document/route-inputs.js';
export { type AnswerProperty, isListOf, listOf, propertiesOf, Property } from './document/property.js';
export {
  DATABASE_UNAVAILABLE,
  FORBIDDEN,
  INTERNAL_ERROR,
  INVALID_REQUEST,
  MALFORMED_JSON,
  METHOD_NOT_ALLOWED,
  NOT_FOUND,
  PAYLOAD_TOO_LARGE,
  SERVICE_BUSY,
  UNSUPPORTED_MEDIA_TYPE,
} from './problems/error-kinds.js';
export { type ErrorKind, ExpectedError } from './problems/expected-error.js';
export { expectedErrorOf } from './problems/expected-error-of.js';
export { PrototypedExpressAdapter } from './express-adapter.js';
export {
  descriptionOfField,
  fieldReader,
  type FieldReader,
  keepingFault,
  leniencyOf,
  OptionalField,
  readerOf,
  RequiredField,
  RequiredWith,
} from './requests/field.js';
export {
  anyCaseOf,
  day,
  digits,
  email,
  filterId,
  flag,
  id,
  lines,
  moment,
  LONGEST_PAGE,
  pageLimit,
  pageLimitUpTo,
  text,
} from './requests/fields.js';
export {
  CSV_FILE,
  FileBodyGuard,
  FileOfRequest,
  MAX_FILE_MEGABYTES,
  type SentFile,
  TakesFile,
  takesFile,
} from './files/index.js';
export { HttpModule } from './http.module.js';
export { PathIdPipe, ID_IN_PATH } from './requests/path-id.pipe.js';
export { LimitBody } from './requests/body-limits.js';
export { FORM_TOKEN_FIELD, FormBodyGuard } from './requests/form-body.guard.js';
export { type Failure, type FailurePage, FailurePages } from './problems/failure-pages.js';
export { JsonBodyGuard } from './requests/json-body.guard.js';
export { foldFieldName, readJsonObject } from './requests/read-json.js';
export { Problem, problem, problemOf } from './problems/problem.js';
export { parseQuery, type Query, valueOf } from './requests/query.js';
export { QueryPipe } from './requests/query.pipe.js';
export { isCallerGone, onceHandled } from './observing/handled-requests.js';
export { RequestObserver } from './observing/request-observer.js';
export { setErrorCode } from './observing/request-outcome.js';
export { requestIdOf, setRequestId } from './observing/request-id.js';
export { fieldsOf, IgnoresNothing } from './requests/read-fields.js';
export { listOfObjects } from './requests/list-field.js';
export { ChurchDay } from './requests/church-day.service.js';
export { RequestReader } from './requests/request-reader.js';
export { publicAddress, publicPath } from './public-address.js';
export { Compressible } from './sending/compressible.js';
export { sendCompressed } from './sending/send-compressed.js';
export { LastAnswers } from './last-answers.js';
export { headersOfMode, setOnEachAnswer } from './mode-header.js';
export { setSecurityHeaders } from './security-headers.js';
export { answerUnreadableRequests } from './problems/answer-unreadable-requests.js';
