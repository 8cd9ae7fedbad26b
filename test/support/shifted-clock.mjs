// @ts-check
// Loaded before a program (`--import`): its wall clock is some hours off, as on a machine whose time was never set. The
// monotonic clock and timers run as ever.
const SHIFT_MS = Number(process.env.TEST_CLOCK_SHIFT_HOURS) * 3_600_000;
if (Number.isNaN(SHIFT_MS)) throw new Error('TEST_CLOCK_SHIFT_HOURS is not set');

const RealDate = Date;

// A proxy, so that what Node makes of the real class is still an instance of this one.
globalThis.Date = new Proxy(RealDate, {
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length === 0 ? [target.now() + SHIFT_MS] : args, newTarget),
  apply: (target) => new target(target.now() + SHIFT_MS).toString(),
  get: (target, property, receiver) =>
    property === 'now' ? () => target.now() + SHIFT_MS : Reflect.get(target, property, receiver),
});
