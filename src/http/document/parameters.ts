import type { Type } from '@nestjs/common';
import type { FieldDescription, JsonSchema } from '../../values/index.js';

/** A part of a request that is not in its body. */
export interface Parameter extends FieldDescription {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly schema: JsonSchema;
}

const READS = Symbol('parameters that a pipe reads');

/** Says what a pipe reads, so that each route that uses it has it in the document. */
export function Reads(...parameters: readonly Parameter[]): ClassDecorator {
  return (pipe) => {
    Reflect.defineMetadata(READS, parameters, pipe);
  };
}

/** What {@link Reads} says of a pipe. */
export function parametersOf(pipe: Type): readonly Parameter[] {
  return (Reflect.getMetadata(READS, pipe) ?? []) as readonly Parameter[];
}
