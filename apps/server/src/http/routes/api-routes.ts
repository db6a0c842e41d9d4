import type { Crm } from '@sales-crm/core'
import { RESOURCES } from '@sales-crm/core/declarations'
import { associationRoutes } from './association-routes.ts'
import { batchRoutes } from './batch-routes.ts'
import { bulkRoutes } from './bulk-routes.ts'
import { calendarFeedRoutes } from './calendar-routes.ts'
import { exportRoutes } from './export-routes.ts'
import { importRoutes } from './import-routes.ts'
import { lineItemRoutes } from './line-item-routes.ts'
import { memberRoutes } from './member-routes.ts'
import { notificationRoutes } from './notification-routes.ts'
import { offerRoutes } from './offer-routes.ts'
import { queryRoutes } from './query-routes.ts'
import { kindRoutes, type RecordKind } from './record-routes.ts'
import { reportRoutes } from './report-routes.ts'
import type { ApiRoute } from './route.ts'
import { shareRoutes } from './share-routes.ts'
import { upsertRoutes } from './upsert-routes.ts'
import { viewRoutes } from './view-routes.ts'
import { webhookRoutes } from './webhook-routes.ts'
import { workspaceRoutes } from './workspace-routes.ts'

/** The routes that require a token. */
export function apiRoutes(crm: Crm): readonly ApiRoute[] {
  return [
    // Before the records of a kind: `export` and `counts` are no ids.
    ...exportRoutes(crm),
    ...viewRoutes(crm),
    ...(Object.keys(RESOURCES) as RecordKind[]).flatMap((kind) => kindRoutes(kind, crm)),
    ...associationRoutes(crm),
    ...shareRoutes(crm),
    ...lineItemRoutes(crm),
    ...offerRoutes(crm),
    ...notificationRoutes(crm),
    ...calendarFeedRoutes(crm),
    ...queryRoutes(crm),
    ...upsertRoutes(crm),
    ...batchRoutes(crm),
    ...bulkRoutes(crm),
    ...importRoutes(crm),
    ...reportRoutes(crm),
    ...webhookRoutes(crm),
    ...memberRoutes(crm),
    ...workspaceRoutes(crm),
  ]
}
