# A devnet on port 8545:  docker run --rm -p 8545:8545 preseal --rhythm instant
# Many of them:           docker run --rm -p 8545:8545 preseal serve
# A browser that opens http://127.0.0.1:8545 shows either.
# From other containers, under the name `chain`: --allowed-hosts chain

FROM node:22-slim AS build
WORKDIR /build
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY tsconfig.json tsconfig.build.json LICENSE ./
COPY scripts scripts
COPY src src
COPY fixtures fixtures
RUN npm run build && npm prune --omit=dev --ignore-scripts --no-audit --no-fund

FROM node:22-slim
ENV NODE_ENV=production
WORKDIR /preseal
COPY --from=build /build/package.json /build/LICENSE ./
COPY --from=build /build/node_modules node_modules
COPY --from=build /build/dist dist
# Fixtures, state files and recordings are mounted here, and named without a path.
WORKDIR /data
RUN chown node:node /data
USER node
EXPOSE 8545
HEALTHCHECK --interval=5s --timeout=2s --start-period=5s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:8545/health').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# A container is a network of its own: who may reach the port is said with -p. Last, for a command such as `serve` comes first.
ENTRYPOINT ["/bin/sh", "-c", "exec node /preseal/dist/cli.js \"$@\" --host 0.0.0.0", "preseal"]
