import { defineConfig } from 'vitest/config'

const postgres = { globalSetup: [new URL('./packages/postgres/test/global-setup.ts', import.meta.url).pathname] }
const project = (name: string, root: string, extra = {}) => ({
  test: { name, root, include: ['src/**/*.test.ts', 'test/**/*.test.ts'], testTimeout: 30_000, hookTimeout: 60_000, ...extra },
})

export default defineConfig({
  test: {
    projects: [
      project('core', 'packages/core'),
      project('contract', 'packages/contract'),
      project('sql', 'packages/sql'),
      project('sqlite', 'packages/sqlite'),
      project('postgres', 'packages/postgres', postgres),
      project('node', 'packages/node'),
      project('server', 'apps/server', postgres),
      project('repository', '.', { include: ['test/**/*.test.ts'] }),
    ],
    coverage: {
      provider: 'v8',
      include: ['packages/*/src/**/*.ts', 'apps/*/src/**/*.ts'],
      thresholds: { lines: 90, branches: 85 },
    },
  },
})
