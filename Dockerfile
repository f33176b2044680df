# One image for amd64 and arm64: docker buildx build --platform linux/amd64,linux/arm64 -t tapeworks .
# .ci/image.ts runs these steps where no container engine does.

FROM node:26.10.0-trixie-slim AS build
WORKDIR /build
# For `strip`: Node and DuckDB are 45 MB smaller without the names of their functions.
RUN apt-get update && apt-get install -y --no-install-recommends binutils
COPY package.json package-lock.json .npmrc ./
COPY test/runner test/runner
RUN npm ci --ignore-scripts
COPY . .
RUN npm run prepack && npm prune --omit=dev --ignore-scripts
RUN sh deploy/image/assemble.sh /image

FROM scratch
COPY --from=build /image/root /
COPY --from=build --chown=10001:10001 /image/data /data
# Workers of a fleet may share a volume here.
COPY --from=build --chown=10001:10001 /image/data /segments
ENV PATH=/usr/local/bin \
    NODE_ENV=production \
    TAPEWORKS_DATA_DIR=/data \
    TAPEWORKS_HOST=0.0.0.0
USER 10001:10001
WORKDIR /data
VOLUME /data
EXPOSE 8787
# A stop takes at most 30 s: give it `docker stop --time 40`, or stop_grace_period: 40s.
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "/app/healthcheck.js"]
ENTRYPOINT ["tapeworks"]
CMD ["start"]
