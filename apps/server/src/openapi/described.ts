import type { JsonSchema } from '@valibot/to-json-schema'
import { CHANGED } from './changed-texts.ts'
import { ANSWERED, SENT } from './field-texts.ts'

/** What schemas are, by how their names end or begin. */
const NATURES: readonly (readonly [RegExp, string])[] = [
  [/ListItem$/, 'As it is shown in lists.'],
  [/Summary$/, 'As it is shown within another record.'],
  [/Snapshot$/, 'As events carry it.'],
  [/Page$/, 'A page of a list, and where it is among the others.'],
  [/Event$/, 'What is sent to a webhook: the event, and the record at that moment.'],
  [/^New/, 'What one is made with. `null` is the same as leaving a field out, where it may be left out.'],
  [/Changes$/, 'What changes: one field at least. Fields that are left out stay as they are.'],
  [/^StageChange$/, 'A stage that is kept, named by its `id`, or a new one.'],
]

/** The schema with what it is and what each of its fields means. @throws Error for a field of which nothing is known */
export function described(name: string, schema: JsonSchema, isSent: boolean): JsonSchema {
  const nature = NATURES.find(([pattern]) => pattern.test(name))?.[1]
  return { ...(nature !== undefined && { description: nature }), ...withTexts(schema, name, isSent) }
}

function withTexts(schema: JsonSchema, place: string, isSent: boolean): JsonSchema {
  const { properties, items } = schema
  const inner = typeof items === 'object' && !Array.isArray(items) ? { items: withTexts(items, place, isSent) } : {}
  if (!properties) return { ...schema, ...inner }
  const texts = Object.entries(properties).map(([field, each]) => {
    const at = `${place}.${field}`
    const text = textFor(at, field, isSent)
    return [field, typeof each === 'object' ? { ...withTexts(each, at, isSent), description: text } : each]
  })
  return { ...schema, ...inner, properties: Object.fromEntries(texts) }
}

function textFor(at: string, field: string, isSent: boolean): string {
  const text = (isSent ? textOfSent(at, field) : ANSWERED[at]) ?? ANSWERED[field]
  if (text === undefined) throw new Error(`Nothing is said of ${at}: add it to field-texts.ts.`)
  return text
}

function textOfSent(at: string, field: string): string | undefined {
  return SENT[at] ?? (/Changes\.\w+$/.test(at) ? CHANGED[field] : undefined) ?? SENT[field]
}
