import type * as v from 'valibot'
import { CrmError, type FieldErrors } from '../kernel/errors.ts'
import { hasChanges, type Input } from './patch.ts'
import { fieldNames } from './validate.ts'
import { type PatchOutput, validatePatch } from './validate-patch.ts'

interface ChangeOptions {
  readonly extraErrors: FieldErrors
  /** The view of the record; undefined if it does not exist. */
  readonly loadView: () => Promise<object | undefined>
}

/**
 * Validates a PATCH like `validatePatch`. An invalid field that equals the record's is left out: it was stored under
 * an older rule, and changes nothing. The record is read only if a field is invalid.
 * @throws CrmError as `validatePatch`
 */
export async function validateChanges<S extends v.GenericSchema>(
  schema: S,
  input: unknown,
  { extraErrors, loadView }: ChangeOptions,
): Promise<Partial<PatchOutput<v.InferOutput<S>>>> {
  try {
    return validatePatch(schema, input, extraErrors)
  } catch (error) {
    const invalidNames = findInvalidFields(schema, error)
    const view = invalidNames.length > 0 ? await loadView() : undefined
    if (!view) throw error
    const changes = leaveOutUnchanged(Object(input) as Input, invalidNames, view as Input)
    return Object.keys(changes).length === 0 ? {} : validatePatch(schema, changes, extraErrors)
  }
}

function findInvalidFields(schema: v.GenericSchema, error: unknown): readonly string[] {
  if (!(error instanceof CrmError) || error.code !== 'validation_error') return []
  const names = Object.keys(error.fields ?? {}).map((path) => /^[^.[]*/.exec(path)![0])
  return [...new Set(names)].filter((name) => fieldNames(schema).includes(name))
}

/** An empty field of the view is never invalid: what is sent for it is a change. */
function leaveOutUnchanged(input: Input, names: readonly string[], view: Input): Input {
  return Object.fromEntries(
    Object.entries(input).filter(
      ([name, value]) => !names.includes(name) || view[name] == null || hasChanges(view, { [name]: value }),
    ),
  )
}
