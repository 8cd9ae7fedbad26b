/** The oldest Node that the packages run on; package.json says the same under "engines". */
const OLDEST = [20, 19] as const;

/**
 * Imported before everything else: under an older Node the first thing that fails would be something odd.
 */
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1])) {
  process.stderr.write(`Offertory needs Node ${OLDEST.join('.')} or later; this is ${process.versions.node}.\n`);
  process.exit(1);
}
