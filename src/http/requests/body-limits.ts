/** How large and how deep the JSON body of a route may be. */
export interface BodyLimits {
  readonly maxKilobytes: number;
  /**
   * How many levels of the body are checked for repeated names. Names further down belong to unknown fields, which are
   * ignored.
   */
  readonly checkedLevels: number;
}

const DEFAULT: BodyLimits = { maxKilobytes: 64, checkedLevels: 1 };

const LIMITS = Symbol('limits of a body');

/** Gives the body of a route other limits than 64 KB and one level. */
export function LimitBody(limits: BodyLimits): MethodDecorator {
  return (_target, _name, descriptor) => {
    Reflect.defineMetadata(LIMITS, limits, descriptor.value as object);
    return descriptor;
  };
}

/** The limits of the body that a handler reads. */
export function bodyLimitsOf(handler: object): BodyLimits {
  return (Reflect.getMetadata(LIMITS, handler) as BodyLimits | undefined) ?? DEFAULT;
}
