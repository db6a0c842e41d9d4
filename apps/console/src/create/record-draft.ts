import type { Currency, CustomField } from '@sales-crm/client'
import type { Console } from '../app/console-context.ts'
import type { FormField, LinkName } from '../fields/field.ts'
import type { PickedRecord } from '../records/record-picker.tsx'
import { requiredInput } from './required-values.ts'

/** What is typed and chosen of a record that is not created yet. */
export interface RecordDraft {
  /** What is typed, by the name of the field. */
  readonly texts: Readonly<Record<string, string>>
  readonly links: Readonly<Record<LinkName, PickedRecord | null>>
  readonly currency: Currency
  /** Empty for the first stage. */
  readonly stageId: string
  /** The values of required custom fields, by their keys. */
  readonly required: Readonly<Record<string, string>>
}

/** The texts with one of them replaced. Without an empty one, so that a form that was emptied has no draft. */
export function withText(texts: RecordDraft['texts'], name: string, text: string): RecordDraft['texts'] {
  const others = Object.entries(texts).filter(([each]) => each !== name)
  return Object.fromEntries(text === '' ? others : [...others, [name, text]])
}

/** The input of a new record, without its links; the errors of texts that are no values, by the name of the field. */
export interface DraftReading {
  readonly input: Readonly<Record<string, unknown>>
  readonly errors: Readonly<Record<string, string>>
}

/** Reads what was typed. Fields without a value are left out. */
export function readDraft<Row>(
  fields: readonly FormField<Row>[],
  requiredFields: readonly CustomField[],
  draft: RecordDraft,
  console: Console,
): DraftReading {
  const input: Record<string, unknown> = {}
  const errors: Record<string, string> = {}
  for (const field of fields) {
    if (field.type === 'link' || field.type === 'stage') continue
    const parsed = field.parse(draft.texts[field.name] ?? '', { ...console, currency: draft.currency })
    if (typeof parsed === 'string') errors[field.name] = parsed
    else Object.assign(input, parsed)
    if (field.type === 'money') input['currency'] = draft.currency
  }
  const values = Object.entries(input).filter(([, value]) => value !== null)
  return {
    input: {
      ...Object.fromEntries(values),
      ...requiredInput(requiredFields, draft.required, console.texts.language),
    },
    errors,
  }
}

/** The error of a field among those of the service, which name the parts of lists and the ids of links. */
export function findError<Row>(
  field: FormField<Row>,
  errors: Readonly<Record<string, string>>,
): string | undefined {
  const names = errorNames(field)
  const isOf = (path: string) =>
    names.some((name) => path === name || path.startsWith(`${name}[`) || path.startsWith(`${name}.`))
  return Object.entries(errors).find(([path]) => isOf(path))?.[1]
}

function errorNames<Row>(field: FormField<Row>): readonly string[] {
  if (field.type === 'link') return field.links.map((link) => `${link}_id`)
  if (field.type === 'stage') return ['stage_id', 'pipeline_id']
  return field.type === 'money' ? [field.name, 'currency'] : [field.name]
}
