import { conflict } from '@sales-crm/core'
import {
  activityQuery,
  detailQuerySchema,
  KINDS,
  nameOfKind,
  querySchema,
  RESOURCES,
  responseOf,
} from '@sales-crm/core/declarations'
import { toPascalCase } from './names.ts'
import { tagOfKind } from './operation-tags.ts'
import type { RecordDocument } from './record-operations.ts'

/** What the document says of a kind, from its declaration. */
export function kindDocument(kind: keyof typeof RESOURCES): RecordDocument {
  const { label, fields, texts, errorExamples, shape, conflictExamples = {} } = KINDS[kind] as KindTexts
  const { orderBy, filters, listOrder } = RESOURCES[kind]
  const unique = shape.unique[0] ?? ('external_ids' in fields ? 'external_ids[0]' : undefined)
  const taken = unique === undefined ? undefined : conflict(unique)
  return {
    name: nameOfKind(kind),
    plural: toPascalCase(kind),
    label,
    pluralLabel: kind.replaceAll('_', ' '),
    tag: tagOfKind(kind),
    responses: { item: responseOf(kind, 'item'), detail: responseOf(kind, 'detail') },
    query:
      kind === 'activities'
        ? activityQuery
        : querySchema<string, typeof filters>(orderBy, filters, listOrder),
    detailQuery: detailQuerySchema(kind),
    fieldErrors: errorExamples,
    conflicts: {
      create: toConflict(conflictExamples.create) ?? taken,
      update: toConflict(conflictExamples.update) ?? taken,
      remove: toConflict(conflictExamples.remove),
    },
    dependsOnRole: true,
    hasAssociations: 'custom_fields' in fields,
    acceptsDeals: 'deals' in fields,
    ...(kind === 'tags' && {
      idParameter: { description: "The tag's id or its key.", isId: false, example: 'lead_quente' },
    }),
    descriptions: texts,
  }
}

interface KindTexts {
  readonly label: string
  readonly fields: object
  readonly texts: RecordDocument['descriptions']
  readonly errorExamples: Readonly<Record<string, string>>
  readonly shape: { readonly unique: readonly string[] }
  readonly conflictExamples?: Readonly<
    Partial<Record<'create' | 'update' | 'remove', Readonly<Record<string, string>>>>
  >
}

function toConflict(example: Readonly<Record<string, string>> = {}) {
  const [entry] = Object.entries(example)
  return entry && conflict(...entry)
}
