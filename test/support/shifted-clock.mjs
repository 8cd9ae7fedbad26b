// @ts-check
// Loaded before a program (`--import`): shifts its wall clock by some hours. The monotonic clock and timers are
// unchanged.
const SHIFT_MS = Number(process.env.TEST_CLOCK_SHIFT_HOURS) * 3_600_000;
if (Number.isNaN(SHIFT_MS)) throw new Error('TEST_CLOCK_SHIFT_HOURS is not set');

const RealDate = Date;

// A proxy, so that dates that Node creates are instances of this class, too.
globalThis.Date = new Proxy(RealDate, {
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length === 0 ? [target.now() + SHIFT_MS] : args, newTarget),
  apply: (target) => new target(target.now() + SHIFT_MS).toString(),
  get: (target, property, receiver) =>
    property === 'now' ? () => target.now() + SHIFT_MS : Reflect.get(target, property, receiver),
});
