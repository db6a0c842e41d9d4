export type * from '@sales-crm/core/api-types'
