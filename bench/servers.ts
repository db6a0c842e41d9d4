import { fileURLToPath } from 'node:url'
import { ISSUER, SECRET_KEY } from './data.ts'
import { type Server, startServer } from './processes.ts'

const SERVICE = fileURLToPath(new URL('../apps/server/src/main.ts', import.meta.url))
const REFERENCE = fileURLToPath(new URL('./reference/main.ts', import.meta.url))
/** Connections to PostgreSQL, for everybody. */
export const POOL = 10

const LIMITS = ['GET', 'POST', 'PATCH', 'DELETE', 'OAUTH', 'REGISTER'].map(
  (name) => [`RATE_LIMIT_${name}`, '0'] as const,
)

/**
 * The service as anyone runs it, but for its rate limits and the lines it would log of every call.
 * @param program another version of it
 */
export function startService(
  databaseUrl: string,
  folder: string,
  nodeOptions: readonly string[] = [],
  more: Readonly<Record<string, string>> = {},
  program = SERVICE,
): Promise<Server> {
  return startServer({
    nodeArguments: [...nodeOptions, program],
    folder,
    environment: { ...serviceSettings(databaseUrl, folder), ...more },
  })
}

/** For the service, and for the operator's tool beside it. */
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

export function startReference(databaseUrl: string, folder: string, workspaceId: string): Promise<Server> {
  const environment = { DATABASE_URL: databaseUrl, DATABASE_POOL: String(POOL), WORKSPACE_ID: workspaceId }
  return startServer({ nodeArguments: [REFERENCE], folder, environment })
}
