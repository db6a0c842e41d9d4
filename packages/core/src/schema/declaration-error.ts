import type { AnyShape } from '../kernel/shape.ts'
import type { AnyField } from './field-types.ts'
import type { Kind } from './kind.ts'

type Declared = Pick<Kind, 'fields'>

/**
 * Returns the first error in declarations that the compiler cannot find, as a sentence that names the field.
 * @param shapes those of all collections, of which `kinds` are those whose records are shown
 */
export function findDeclarationError(
  kinds: Readonly<Record<string, Declared>>,
  shapes: Readonly<Record<string, Pick<AnyShape, 'foreignKeys'>>>,
): string | undefined {
  for (const [kind, { fields }] of Object.entries(kinds)) {
    const entries = Object.entries(fields) as unknown as readonly (readonly [string, AnyField])[]
    const namesByUse = new Map<string, string>()
    for (const [name, field] of entries) {
      const place = `The field ${name} of ${kind}`
      const fault = findFieldError(field, kinds)
      if (fault !== undefined) return `${place} ${fault}`
      for (const use of usesOf(name, field)) {
        const other = namesByUse.get(use)
        if (other !== undefined) return `${place} has the same ${use} as the field ${other}.`
        namesByUse.set(use, name)
      }
    }
  }
  for (const [collection, { foreignKeys }] of Object.entries(shapes)) {
    for (const [column, target] of Object.entries(foreignKeys)) {
      if (!Object.hasOwn(shapes, target))
        return `The column ${column} of ${collection} refers to ${target}, which is no collection.`
    }
  }
  return undefined
}

function findFieldError(field: AnyField, kinds: Readonly<Record<string, Declared>>): string | undefined {
  if ('kind' in field && !Object.hasOwn(kinds, field.kind))
    return `shows ${field.kind}, which is no kind. The kinds are ${Object.keys(kinds).join(', ')}.`
  if (field.level !== 'hidden' && !field.description) return 'is shown without a description.'
  return undefined
}

/** The columns and inputs that a field takes. */
function usesOf(name: string, field: AnyField): readonly string[] {
  if (field.is === 'reference')
    return [`column ${field.column}`, ...Object.keys(field.inputs).map((input) => `input ${input}`)]
  if (field.is === 'value') return [`column ${name}`, `input ${name}`]
  if (field.is === 'system') return [`column ${name}`]
  return 'schemas' in field && field.schemas ? [`input ${name}`] : []
}
