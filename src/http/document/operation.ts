import type { Type } from '@nestjs/common';
import type { ErrorKind } from '../problems/expected-error.js';
import type { Parameter } from './parameters.js';

/** A group of operations in the API document. Each is declared by the part whose operations it holds. */
export interface ApiGroup {
  readonly name: string;
  readonly description: string;
  /** Groups are listed by ascending position. */
  readonly position: number;
}

/** What an operation is, besides what its decorators and the types of its parameters tell already. */
export interface OperationDescription {
  readonly group: ApiGroup;
  /** Its name in clients that are generated from the document. */
  readonly id: string;
  readonly summary: string;
  /** Markdown. */
  readonly description?: string;
  /** What it answers with status 200; several where it depends. A text: the media type of what is no JSON. */
  readonly answer: Type | readonly Type[] | string;
  /** Its own failures. Those of access, bodies, parameters and keys are added by the document. */
  readonly failures?: readonly ErrorKind[];
  /** Bodies to start from, by what they show; none: one is made of the fields' examples. */
  readonly requests?: Readonly<Record<string, object>>;
  /** What parts of the path are here, where their reader is used for several things. */
  readonly parts?: Readonly<Record<string, string>>;
}

const OPERATION = Symbol('operation');
const FAILURES = Symbol('failures');
const PARAMETERS = Symbol('parameters');

/** Puts a route into the API's document. Roles, parameters and body come from what else stands on the method. */
export function Operation(description: OperationDescription): MethodDecorator {
  return (_target, _name, descriptor) => {
    Reflect.defineMetadata(OPERATION, description, descriptor.value as object);
    return descriptor;
  };
}

/** What {@link Operation} says of a handler; undefined: the route is not in the document. */
export function operationOf(handler: object): OperationDescription | undefined {
  return Reflect.getMetadata(OPERATION, handler) as OperationDescription | undefined;
}

/** For decorators of parameters: what the handler reads, and how that can fail. */
export function documentParameter(handler: object, parameter: Parameter, failures: readonly ErrorKind[]): void {
  Reflect.defineMetadata(PARAMETERS, [...documentedParameters(handler).parameters, parameter], handler);
  Reflect.defineMetadata(FAILURES, [...documentedParameters(handler).failures, ...failures], handler);
}

/** What {@link documentParameter} was told of a handler. */
export function documentedParameters(handler: object): {
  readonly parameters: readonly Parameter[];
  readonly failures: readonly ErrorKind[];
} {
  return {
    parameters: (Reflect.getMetadata(PARAMETERS, handler) ?? []) as readonly Parameter[],
    failures: (Reflect.getMetadata(FAILURES, handler) ?? []) as readonly ErrorKind[],
  };
}
