import type { Type } from '@nestjs/common';
import type { ErrorKind } from '../problems/expected-error.js';
import type { Parameter } from './parameters.js';

/** A group of operations in the API document. The part whose operations it contains declares it. */
export interface ApiGroup {
  readonly name: string;
  readonly description: string;
  /** Groups are listed by ascending position. */
  readonly position: number;
}

/** Describes an operation. Its roles, parameters and body come from its other decorators and parameter types. */
export interface OperationDescription {
  readonly group: ApiGroup;
  /** Its name in clients that are generated from the document. */
  readonly id: string;
  readonly summary: string;
  /** Markdown. */
  readonly description?: string;
  /** The class of the answer with status 200; a string is the media type of an answer other than JSON. */
  readonly answer: Type | string;
  /** The operation's own failures. The document adds those of access, bodies, parameters and keys. */
  readonly failures?: readonly ErrorKind[];
  /** Example bodies, by what they show. Without them, one is built from the fields' examples. */
  readonly requests?: Readonly<Record<string, object>>;
  /** For a route without a body: what to do instead of sending one, for the error. Default: "send none". */
  readonly insteadOfBody?: string;
  /** Descriptions of path parameters, if their reader is used for several kinds of ids. */
  readonly parts?: Readonly<Record<string, string>>;
}

const OPERATION = Symbol('operation');
const FAILURES = Symbol('failures');
const PARAMETERS = Symbol('parameters');

/** Adds a route to the API document. */
export function Operation(description: OperationDescription): MethodDecorator {
  return (_target, _name, descriptor) => {
    Reflect.defineMetadata(OPERATION, description, descriptor.value as object);
    return descriptor;
  };
}

/** The description of a handler by {@link Operation}; undefined if the route is not in the document. */
export function operationOf(handler: object): OperationDescription | undefined {
  return Reflect.getMetadata(OPERATION, handler) as OperationDescription | undefined;
}

/** Documents a parameter that a handler reads, and its failures. For decorators of parameters. */
export function documentParameter(handler: object, parameter: Parameter, failures: readonly ErrorKind[]): void {
  Reflect.defineMetadata(PARAMETERS, [...documentedParameters(handler).parameters, parameter], handler);
  Reflect.defineMetadata(FAILURES, [...documentedParameters(handler).failures, ...failures], handler);
}

/** The parameters and failures that {@link documentParameter} recorded for a handler. */
export function documentedParameters(handler: object): {
  readonly parameters: readonly Parameter[];
  readonly failures: readonly ErrorKind[];
} {
  return {
    parameters: (Reflect.getMetadata(PARAMETERS, handler) ?? []) as readonly Parameter[],
    failures: (Reflect.getMetadata(FAILURES, handler) ?? []) as readonly ErrorKind[],
  };
}
