import type * as v from 'valibot'
import { orderByInput } from '../../../engine/order-errors.ts'
import { validateInto } from '../../../engine/validate.ts'
import { invalidRequest } from '../../../kernel/errors.ts'

/**
 * Validates like `validate`, with OAuth errors.
 * @throws CrmError `invalid_request` with `fields` keyed by path
 */
export function validateRequest<S extends v.GenericSchema>(schema: S, input: unknown): v.InferOutput<S> {
  const errors = new Map<string, string>()
  const output = validateInto(schema, input, 'field', errors)
  if (errors.size > 0) throw invalidRequest('The request is invalid.', orderByInput(errors, input))
  return output as v.InferOutput<S>
}
