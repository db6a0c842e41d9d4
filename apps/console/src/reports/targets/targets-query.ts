import type { CrmClient, Currency } from '@sales-crm/client'
import type { Month } from '../../format/calendar.ts'
import { readAll } from '../../reference/queries.ts'

/** The targets of a month in a currency. */
export function targetsQuery(crm: CrmClient, month: Month, currency: Currency) {
  return {
    queryKey: ['targets', month, currency],
    queryFn: () => readAll(crm.targets.list({ month, currency, per_page: 100 })),
  }
}
