# The service as an image. How to run it: docs/running.md

FROM node:24.21.0-slim AS console
WORKDIR /app
COPY package.json package-lock.json .npmrc tsconfig.base.json ./
COPY apps/console/package.json apps/console/
COPY packages/client/package.json packages/client/
COPY packages/core/package.json packages/core/
RUN npm ci --workspace apps/console
COPY apps/console apps/console
COPY packages/client packages/client
COPY packages/core packages/core
RUN npm run build --workspace apps/console

FROM node:24.21.0-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY apps/server/package.json apps/server/
COPY packages/core/package.json packages/core/
COPY packages/node/package.json packages/node/
COPY packages/postgres/package.json packages/postgres/
COPY packages/sql/package.json packages/sql/
COPY packages/sqlite/package.json packages/sqlite/
# The optional dependency is a Node.js of its own, and the image has one.
RUN npm ci --omit=dev --omit=optional --workspace apps/server
COPY LICENSE ./
COPY apps/server apps/server
COPY packages packages
COPY --from=console /app/apps/console/dist apps/console/dist
# Whatever the modes in the checkout were: everybody may read, and only root write.
RUN chmod -R u=rwX,go=rX .

FROM node:24.21.0-slim
ENV HOST=0.0.0.0 \
    PORT=3000 \
    DATA_DIR=/data \
    DATABASE_URL=sqlite:/data/crm.db
WORKDIR /app
COPY --from=build /app ./
# A named volume begins as what is here: a folder of the service's own.
RUN install -d -o node -g node -m 700 /data
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# In this form, and without npm, SIGTERM reaches Node.js.
CMD ["node", "apps/server/src/main.ts"]
