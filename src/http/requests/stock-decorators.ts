import { Injectable, type OnModuleInit, type Type } from '@nestjs/common';
import { MetadataScanner, ModulesContainer } from '@nestjs/core';
import { getMetadataStorage } from 'class-validator';
import { inputsOf } from '../document/route-inputs.js';
import { isOwnRule } from './field.js';

/** The readers that replace the most common decorators of class-validator. */
const READERS: Readonly<Record<string, string>> = {
  isBoolean: 'flag',
  isDateString: 'day',
  isEmail: 'email',
  isEnum: 'anyCaseOf(words)',
  isIn: 'anyCaseOf(words)',
  isInt: 'id',
  isLength: 'text(max)',
  isString: 'text(max)',
  maxLength: 'text(max)',
};

/**
 * Prevents the application from starting when a request class has a decorator of class-validator. The API document
 * would lack its rule, it would check values that are already converted, and `@IsOptional()` would disable
 * `@RequiredField`.
 */
@Injectable()
export class StockDecorators implements OnModuleInit {
  constructor(private readonly modules: ModulesContainer) {}

  onModuleInit(): void {
    const faults = requestClasses(this.modules).flatMap(faultsOf);
    if (faults.length > 0) throw new Error(`${faults.join('\n')}\nSee docs/extending.md, "A route".`);
  }
}

/** The request classes of all bodies and queries. */
function requestClasses(modules: ModulesContainer): Type[] {
  const scanner = new MetadataScanner();
  const controllers = [...modules.values()]
    .flatMap((module) => [...module.controllers.values()])
    .flatMap(({ metatype }) => (typeof metatype === 'function' ? [metatype as Type] : []));
  const classes = controllers.flatMap((controller) =>
    scanner.getAllMethodNames(controller.prototype as object).flatMap((method) => {
      const { body, query } = inputsOf(controller, method);
      return [body, query].filter((type) => type !== undefined);
    }),
  );
  return [...new Set(classes)];
}

function faultsOf(request: Type): string[] {
  return getMetadataStorage()
    .getTargetValidationMetadatas(request, '', false, false)
    .filter(({ name }) => !isOwnRule(name))
    .map(({ name = '', propertyName }) => {
      const decorator = name === '' ? 'a decorator' : `@${name.charAt(0).toUpperCase()}${name.slice(1)}()`;
      return `${request.name}.${propertyName}: ${decorator} of class-validator does not work here. Use ${instead(name)}.`;
    });
}

function instead(rule: string): string {
  if (rule === 'isOptional') return '@OptionalField';
  if (rule === 'isDefined' || rule === 'isNotEmpty') return '@RequiredField';
  const reader = READERS[rule] ?? 'a fieldReader';
  return `@RequiredField or @OptionalField with ${reader}`;
}
