import type { AnyField } from './field-types.ts'
import type { Kind } from './kind.ts'

type Declared = Pick<Kind, 'fields'>

/**
 * Returns the first error in declarations that the compiler cannot find, as a sentence that names the field.
 * @param collections all collections, of which `kinds` are those whose records are shown
 */
export function findDeclarationError(
  kinds: Readonly<Record<string, Declared>>,
  collections: readonly string[],
): string | undefined {
  for (const [kind, { fields }] of Object.entries(kinds)) {
    const entries = Object.entries(fields) as unknown as readonly (readonly [string, AnyField])[]
    const namesByUse = new Map<string, string>()
    for (const [name, field] of entries) {
      const place = `The field ${name} of ${kind}`
      const fault = findFieldError(field, kinds, collections)
      if (fault !== undefined) return `${place} ${fault}`
      for (const use of usesOf(name, field)) {
        const other = namesByUse.get(use)
        if (other !== undefined) return `${place} has the same ${use} as the field ${other}.`
        namesByUse.set(use, name)
      }
    }
  }
  return undefined
}

function findFieldError(
  field: AnyField,
  kinds: Readonly<Record<string, Declared>>,
  collections: readonly string[],
): string | undefined {
  if ('kind' in field && !Object.hasOwn(kinds, field.kind))
    return `shows ${field.kind}, which is no kind. The kinds are ${Object.keys(kinds).join(', ')}.`
  if (field.is === 'system' && field.references !== undefined && !collections.includes(field.references))
    return `refers to ${field.references}, which is no collection.`
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
