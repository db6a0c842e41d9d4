import type * as v from 'valibot'
import { invalidRequest } from '../errors.ts'
import { judged } from '../records/input.ts'

/** As `validate`, in the words of OAuth. @throws CrmError `invalid_request`, its `fields` keyed by path */
export function requested<S extends v.GenericSchema>(schema: S, input: unknown): v.InferOutput<S> {
  const errors = new Map<string, string>()
  const output = judged(schema, input, 'field', errors)
  if (errors.size > 0) throw invalidRequest('The request is invalid.', Object.fromEntries(errors))
  return output as v.InferOutput<S>
}
