import { configDefaults, defineConfig } from 'vitest/config'

const pathOf = (file: string) => new URL(file, import.meta.url).pathname
const postgres = pathOf('./packages/postgres/test/global-setup.ts')
const chromium = pathOf('./apps/server/test/support/chromium-setup.ts')
const programs = pathOf('./test/programs-setup.ts')
const migratedDatabases = pathOf('./apps/server/test/support/migrated-databases-setup.ts')
const seenResponses = pathOf('./apps/server/test/support/seen-responses-setup.ts')
/** Not 0: with a single worker, projects of order 0 run after all others. */
const AMONG_ALL = { sequence: { groupOrder: 1 } }
const AFTER_ALL = { sequence: { groupOrder: 2 } }
/** For tests that leave nothing behind in their process: loading the modules for each file takes longer than they do. */
const SHARED_MODULES = { isolate: false }
/** The tests of the service that send requests in this process, and start no other. */
const REQUEST_TESTS = 'test/{http,mcp,mount,oauth,openapi,pages}/**/*.test.ts'
const project = (name: string, root: string, extra = {}) => ({
  test: {
    name,
    root,
    include: ['src/**/*.test.ts', 'test/**/*.test.ts'],
    testTimeout: 90_000,
    hookTimeout: 180_000,
    // A second is too short for a browser and a service that share two cores with other tests.
    expect: { poll: { timeout: 10_000 } },
    ...AMONG_ALL,
    ...extra,
  },
})

export default defineConfig({
  test: {
    // Tests mostly wait for a disk, a process or a browser.
    maxWorkers: 3,
    projects: [
      project('core', 'packages/core', SHARED_MODULES),
      project('conformance', 'packages/conformance', SHARED_MODULES),
      project('sql', 'packages/sql', SHARED_MODULES),
      project('sqlite', 'packages/sqlite'),
      project('postgres', 'packages/postgres', { globalSetup: [postgres] }),
      project('node', 'packages/node', { globalSetup: [programs], ...SHARED_MODULES }),
      project('client', 'packages/client', { globalSetup: [chromium, programs], ...SHARED_MODULES }),
      project('console', 'apps/console', SHARED_MODULES),
      project('webhooks', 'packages/webhooks', { globalSetup: [postgres], ...SHARED_MODULES }),
      project('http', 'apps/server', {
        include: [REQUEST_TESTS],
        globalSetup: [postgres, migratedDatabases, seenResponses],
        ...SHARED_MODULES,
      }),
      project('server', 'apps/server', {
        globalSetup: [postgres, migratedDatabases, chromium, programs, seenResponses],
        exclude: [...configDefaults.exclude, REQUEST_TESTS, 'test/response-coverage/**'],
      }),
      project('documented-responses', 'apps/server', {
        include: ['test/response-coverage/**/*.test.ts'],
        globalSetup: [seenResponses],
        ...AFTER_ALL,
      }),
      project('faults', 'test/faults', {
        include: ['**/*.test.ts'],
        globalSetup: [programs],
        testTimeout: 300_000,
        ...AFTER_ALL,
      }),
      project('repository', '.', {
        include: ['test/*.test.ts'],
        globalSetup: [postgres, chromium, programs],
      }),
    ],
    coverage: {
      provider: 'v8',
      include: ['packages/*/src/**/*.ts', 'apps/*/src/**/*.ts'],
      thresholds: { lines: 90, branches: 85 },
    },
  },
})
