import { DELIVERED_EVENTS } from '@sales-crm/core/browser'

/** The events that this version knows. */
export const DELIVERY_NAMES: readonly string[] = Object.keys(DELIVERED_EVENTS)
