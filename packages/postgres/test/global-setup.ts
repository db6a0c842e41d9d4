import type { TestProject } from 'vitest/node'
import { startPostgres } from './embedded-postgres.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Null on a machine without PostgreSQL, which is an error if REQUIRE_ALL is set. */
    postgresUrl: string | null
  }
}

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const configuredUrl = process.env['TEST_POSTGRES_URL']
  if (configuredUrl) {
    project.provide('postgresUrl', configuredUrl)
    return async () => {}
  }
  const server = await startPostgres()
  if (!server && process.env['REQUIRE_ALL'])
    throw new Error('REQUIRE_ALL is set and there is no PostgreSQL: set TEST_POSTGRES_URL.')
  project.provide('postgresUrl', server?.url ?? null)
  return async () => {
    await server?.stop()
    if (!server)
      console.log('Skipped: all PostgreSQL tests. Set TEST_POSTGRES_URL to a server that may be written to.')
  }
}
