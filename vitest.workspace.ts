import { defineConfig } from 'vitest/config'

const pathOf = (file: string) => new URL(file, import.meta.url).pathname
const postgres = pathOf('./packages/postgres/test/global-setup.ts')
const chromium = pathOf('./apps/server/test/chromium-setup.ts')
const programs = pathOf('./test/programs-setup.ts')
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
      project('postgres', 'packages/postgres', { globalSetup: [postgres] }),
      project('node', 'packages/node', { globalSetup: [programs] }),
      project('server', 'apps/server', { globalSetup: [postgres, chromium] }),
      project('repository', '.', { include: ['test/**/*.test.ts'], globalSetup: [programs] }),
    ],
    coverage: {
      provider: 'v8',
      include: ['packages/*/src/**/*.ts', 'apps/*/src/**/*.ts'],
      thresholds: { lines: 90, branches: 85 },
    },
  },
})
