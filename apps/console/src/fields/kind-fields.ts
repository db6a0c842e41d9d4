import type {
  Company,
  CompanyListItem,
  Deal,
  DealListItem,
  Person,
  PersonListItem,
  Product,
  Task,
} from '@sales-crm/client'
import type { CreatableKind } from '../records/kinds.ts'
import { COMPANY_FIELDS, PERSON_FIELDS } from './contact-fields.ts'
import { DEAL_FIELDS } from './deal-fields.tsx'
import type { KindFields } from './field.ts'
import { PRODUCT_FIELDS } from './product-fields.ts'
import { TASK_FIELDS } from './task-fields.tsx'

interface KindFieldTable extends Readonly<Record<CreatableKind, unknown>> {
  readonly people: KindFields<PersonListItem, Person>
  readonly companies: KindFields<CompanyListItem, Company>
  readonly deals: KindFields<DealListItem, Deal>
  readonly products: KindFields<Product>
  readonly tasks: KindFields<Task>
}

/** The fields of each kind of record: what tables, pages and forms show of it. */
export const KIND_FIELDS: KindFieldTable = {
  people: PERSON_FIELDS,
  companies: COMPANY_FIELDS,
  deals: DEAL_FIELDS,
  products: PRODUCT_FIELDS,
  tasks: TASK_FIELDS,
}
