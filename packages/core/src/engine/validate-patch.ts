import type * as v from 'valibot'
import { badRequest, type FieldErrors } from '../kernel/errors.ts'
import { fieldNames, findUnknownFields, validate } from './validate.ts'

/** The fields of a PATCH that were sent. */
export type PatchOutput<Output> = { readonly [F in keyof Output]: Exclude<Output[F], undefined> }

/**
 * Validates a PATCH and returns only the fields that were sent.
 * @throws CrmError `validation_error`, `bad_request` without a known field
 */
export function validatePatch<S extends v.GenericSchema>(
  schema: S,
  input: unknown,
  extraErrors?: FieldErrors,
): PatchOutput<v.InferOutput<S>> {
  const known = fieldNames(schema)
  const names = typeof input === 'object' && input !== null ? Object.keys(input) : []
  if (!names.some((name) => known.includes(name))) {
    const unknown = findUnknownFields(schema, input)
    throw badRequest(
      'No fields provided for update.',
      unknown.size > 0 ? Object.fromEntries(unknown) : undefined,
    )
  }
  const changes = validate(schema, input, 'field', extraErrors) as Readonly<Record<string, unknown>>
  return Object.fromEntries(
    Object.entries(changes).filter(([, value]) => value !== undefined),
  ) as PatchOutput<v.InferOutput<S>>
}
