import { validate } from '@sales-crm/core'
import type { Context } from 'hono'
import { EMPTY_OBJECT } from '../../openapi/webhook-operations.ts'
import type { AppEnv } from '../app-env.ts'
import { readOptionalJson } from '../json-body.ts'
import { rejectQueryParameters } from '../query-string.ts'

/**
 * For operations without input: the body is empty or an empty object.
 * @throws CrmError `bad_request`, `validation_error`
 */
export async function rejectInput(c: Context<AppEnv>): Promise<void> {
  const input = await readOptionalJson(c.get('body'))
  const check = () => validate(EMPTY_OBJECT, input)
  rejectQueryParameters(c.req.url, check)
  check()
}
