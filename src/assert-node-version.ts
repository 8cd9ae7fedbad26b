/** The oldest Node version that the packages support; "engines" in package.json has the same value. */
const OLDEST = [20, 19] as const;

// Imported before everything else, because an older Node would fail later with a confusing error.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1])) {
  process.stderr.write(`Offertory needs Node ${OLDEST.join('.')} or later; this is ${process.versions.node}.\n`);
  process.exit(1);
}
