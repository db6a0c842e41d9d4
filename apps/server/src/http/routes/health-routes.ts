import type { Storage } from '@sales-crm/core/ports'
import { serializeError } from '../../observability/redaction.ts'
import type { ServiceLog } from '../../observability/service-log.ts'
import { GET_HEALTH, GET_READINESS } from '../../openapi/service-operations.ts'
import { errorBody, unexpectedError } from '../errors.ts'
import type { OpenRoute } from './route.ts'

const HEALTHY = { data: { status: 'ok' } }

/** `/healthz`: the process responds. `/readyz`: it can also use the database, and does not stop. */
export function healthRoutes(
  storage: Pick<Storage, 'check'>,
  log: Pick<ServiceLog, 'error'>,
): readonly OpenRoute[] {
  const unlimited = { method: 'GET', access: 'nobody', limitedBy: null } as const
  return [
    { ...unlimited, path: '/healthz', operation: GET_HEALTH, handle: (c) => c.json(HEALTHY) },
    {
      ...{ ...unlimited, path: '/readyz', operation: GET_READINESS },
      async handle(c) {
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
      },
    },
  ]
}
