/** Run by scripts/container-check.sh with a temporary directory as argument. Ends with "N passed, N failed". */
import { join } from 'node:path';
import { readFileSync } from 'node:fs';
import { checkCaddyfiles, checkCompose } from './container-check/compose.mjs';
import { copyBuildContext } from './container-check/build-context.mjs';
import { withComposeDatabase, withDatabase } from './container-check/database.mjs';
import { readDockerfile } from './container-check/dockerfile.mjs';
import { checkImage } from './container-check/image.mjs';
import { checkService } from './container-check/service.mjs';
import { buildStages } from './container-check/stages.mjs';
import { walkThePages } from './container-check/walk.mjs';
import { finish, step } from './container-check/steps.mjs';

const [directory] = process.argv.slice(2);
if (directory === undefined) throw new Error('Run scripts/container-check.sh instead.');

await checkCompose(join(directory, 'compose'));
await checkCaddyfiles();

try {
  const stages = await step('the Dockerfile has only instructions that this check supports', () =>
    readDockerfile(readFileSync('Dockerfile', 'utf8')),
  );
  const context = join(directory, 'context');
  await step('the build context is the working tree without what .dockerignore excludes', () =>
    copyBuildContext(context),
  );
  const image = await buildStages(stages, { context, directory });
  await checkImage(image);
  await withDatabase((databaseUrl) => checkService(image, databaseUrl));
  await withComposeDatabase((database) => walkThePages(image, database, join(directory, 'walk')));
} catch {
  // The failed step is already reported. The remaining ones depend on it.
  console.log('The remaining steps were not run.');
}
finish();
