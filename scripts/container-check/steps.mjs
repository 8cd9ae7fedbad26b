/** The numbers of passed and failed steps. */
let passed = 0;
let failed = 0;

/** Runs and reports a step that later ones depend on. @returns its result. @throws its error. */
export async function step(name, work) {
  const start = Date.now();
  const seconds = () => `(${((Date.now() - start) / 1000).toFixed(1)} s)`;
  try {
    const result = await work();
    passed += 1;
    console.log(`ok    ${name} ${seconds()}`);
    return result;
  } catch (error) {
    failed += 1;
    console.log(`FAIL  ${name} ${seconds()}\n      ${String(error?.message ?? error).replaceAll('\n', '\n      ')}`);
    throw error;
  }
}

/** Runs and reports a step that no other step depends on. */
export async function check(name, work) {
  await step(name, work).catch(() => undefined);
}

/** Prints the closing line that .ci/run reads, and sets the exit code. */
export function finish() {
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
}
