import type { CustomField } from '@sales-crm/client'
import type { Texts } from '../../texts/en.ts'
import { lowerFirst } from '../../texts/lower-first.ts'
import type { ImportTexts } from '../texts/texts.ts'
import { findCustomField, NEW_FIELD, type Target } from './target.ts'
import { pageLabel } from './target-fields.ts'

export interface LabelSource {
  readonly texts: ImportTexts
  readonly shared: Texts
  readonly fields: readonly CustomField[]
}

/** The name of a field of the service. */
export function serviceLabel(field: string, { texts, shared }: Omit<LabelSource, 'fields'>): string {
  const label = pageLabel(field)
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
