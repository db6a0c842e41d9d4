import type { Storage } from '@sales-crm/core/ports'
import { Hono } from 'hono'
import { serializeError } from '../../observability/redaction.ts'
import type { ServiceLog } from '../../observability/service-log.ts'
import type { AppEnv } from '../app-env.ts'
import { errorBody, unexpectedError } from '../errors.ts'

const HEALTHY = { data: { status: 'ok' } }

/** `/healthz`: the process responds. `/readyz`: it can also use the database, and does not stop. */
export function healthRoutes(storage: Pick<Storage, 'check'>, log: Pick<ServiceLog, 'error'>): Hono<AppEnv> {
  return new Hono<AppEnv>()
    .get('/healthz', (c) => c.json(HEALTHY))
    .get('/readyz', async (c) => {
      const requestId = c.get('requestId')
      try {
        if (!c.env?.isDraining) {
          await storage.check()
          return c.json(HEALTHY)
        }
      } catch (error) {
        log.error({ request_id: requestId, err: serializeError(error) }, 'The database is not ready.')
      }
      return c.json(errorBody(unexpectedError(), requestId), 503)
    })
}
