import type { Type } from '@nestjs/common';
import type { FieldDescription, JsonSchema, Leniency } from '../../values/index.js';

/** A parameter in the path, query or headers of a request. */
export interface Parameter extends FieldDescription {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly schema: JsonSchema;
  /** All that is accepted, if {@link schema} is only the form that clients should send. */
  readonly leniency?: Leniency;
  /** True if it exists only for callers of earlier versions, and is not in the document. */
  readonly isDeprecated?: boolean;
}

const READS = Symbol('parameters that a pipe reads');

/** Declares the parameters that a pipe reads, so that every route with the pipe has them in the document. */
export function Reads(...parameters: readonly Parameter[]): ClassDecorator {
  return (pipe) => {
    Reflect.defineMetadata(READS, parameters, pipe);
  };
}

/** The parameters that {@link Reads} declares for a pipe. */
export function parametersOf(pipe: Type): readonly Parameter[] {
  return (Reflect.getMetadata(READS, pipe) ?? []) as readonly Parameter[];
}
