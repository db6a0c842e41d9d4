export type * from '@sales-crm/core/event-types'
