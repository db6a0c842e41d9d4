import { fileURLToPath } from 'node:url'
import { ISSUER, SECRET_KEY } from './data.ts'
import { sqliteFile } from './databases.ts'
import { type Server, startServer } from './processes.ts'

/** The entry point of the service. */
export const SERVICE = fileURLToPath(new URL('../apps/server/src/main.ts', import.meta.url))
const REFERENCE = fileURLToPath(new URL('./reference/main.ts', import.meta.url))
/** Size of the service's connection pool to PostgreSQL. */
export const POOL = 10

const LIMITS = ['GET', 'POST', 'PATCH', 'DELETE', 'OAUTH', 'REGISTER'].map(
  (name) => [`RATE_LIMIT_${name}`, '0'] as const,
)

/**
 * Starts the service as `npm start` does, except for its rate limits and log level.
 * @param program the entry point of another version of the service
 */
export function startService(
  databaseUrl: string,
  folder: string,
  nodeOptions: readonly string[] = [],
  overrides: Readonly<Record<string, string>> = {},
  program = SERVICE,
  outputFile?: string,
): Promise<Server> {
  return startServer({
    nodeArguments: [...nodeOptions, program],
    folder,
    outputFile,
    environment: { ...serviceSettings(databaseUrl, folder), ...overrides },
  })
}

/** Returns the environment variables of the service and of the operator's command-line tool. */
export function serviceSettings(databaseUrl: string, folder: string): Readonly<Record<string, string>> {
  return {
    ...Object.fromEntries(LIMITS),
    DATABASE_URL: databaseUrl,
    DATABASE_POOL: String(POOL),
    BASE_URL: ISSUER,
    SECRET_KEY: SECRET_KEY.toString('base64'),
    DATA_DIR: folder,
    LOG_LEVEL: 'warn',
  }
}

/** Starts the reference on a SQLite database. */
export function startReference(databaseUrl: string, folder: string, workspaceId: string): Promise<Server> {
  const environment = { DATABASE_FILE: sqliteFile(databaseUrl)!, WORKSPACE_ID: workspaceId }
  return startServer({ nodeArguments: [REFERENCE], folder, environment })
}
