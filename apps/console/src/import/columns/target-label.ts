import type { CustomField } from '@sales-crm/client'
import type { Texts } from '../../texts/en.ts'
import { lowerFirst } from '../../texts/lower-first.ts'
import type { ImportTexts } from '../texts/texts.ts'
import { findCustomField, NEW_FIELD, type Target } from './target.ts'

export interface LabelSource {
  readonly texts: ImportTexts
  readonly shared: Texts
  readonly fields: readonly CustomField[]
}

/** The labels of fields that the pages of records have, too. */
const PAGE_LABELS: Readonly<Record<string, keyof Texts['labels']>> = {
  full_name: 'name',
  emails: 'email',
  phones: 'phone',
  position: 'position',
  score: 'score',
  website: 'website',
  owner_user_id: 'owner',
  name: 'name',
  title: 'title',
  amount: 'amount',
  currency: 'currency',
  source: 'source',
  forecast_date: 'forecast',
  pipeline: 'pipeline',
  pipeline_id: 'pipeline',
  stage: 'stage',
  stage_id: 'stage',
  price_cts: 'price',
  description: 'description',
  code: 'code',
  is_active: 'active',
  billing_cycle: 'billing',
  type: 'type',
  priority: 'priority',
  completed: 'done',
}

/** The name of a field of the service. */
export function serviceLabel(field: string, { texts, shared }: Omit<LabelSource, 'fields'>): string {
  const label = PAGE_LABELS[field]
  return texts.fields[field] ?? (label === undefined ? field : shared.labels[label])
}

/** The name of a field, as choices and results have it. */
export function fieldLabel(
  target: Pick<Target, 'field'> & { readonly source?: string | undefined },
  { texts, shared, fields }: LabelSource,
): string {
  const { field, source } = target
  if (field === NEW_FIELD) return texts.newField
  if (field === 'external_id' && source !== undefined) return texts.externalId(source)
  const custom = findCustomField(target, fields)
  if (!custom) return serviceLabel(field, { texts, shared })
  const part = field.split('.')[2] as keyof Texts['address'] | undefined
  return part === undefined ? custom.label : `${custom.label}: ${lowerFirst(shared.address[part])}`
}
