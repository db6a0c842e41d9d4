import { CrmError, invalidRequest, type Parameters } from '@sales-crm/core'
import { JSON_MEDIA_TYPE, readJson } from '../http/json-body.ts'
import { MAX_BODY_BYTES, type RequestBody, UnreadBodyError } from '../http/request-body.ts'
import { FORM_MEDIA_TYPE, readForm } from '../http/urlencoded-form.ts'

/**
 * Limit on the values of a body: more than any needs. Callers may be anonymous, so larger bodies get no work.
 */
const MAX_OAUTH_VALUES = 1000

/**
 * Reads a JSON object.
 * @throws CrmError `invalid_request`; `bad_request` if it is too large, `rate_limit_exceeded` if body memory
 *   is exhausted
 */
export async function readOAuthJson(body: RequestBody): Promise<object> {
  try {
    return await readJson(body, MAX_BODY_BYTES, MAX_OAUTH_VALUES)
  } catch (error) {
    const isInvalid = error instanceof CrmError && error.code === 'bad_request'
    throw isInvalid && !(error instanceof UnreadBodyError) ? invalidRequest(error.message) : error
  }
}

/**
 * Reads parameters from a form or from JSON. Members of a JSON object that are not strings are ignored,
 * except that those in `names` must be strings.
 * @throws CrmError `invalid_request`; `bad_request` if it is too large, `rate_limit_exceeded` if body memory
 *   is exhausted
 */
export async function readFormOrJson(body: RequestBody, names: readonly string[]): Promise<Parameters> {
  // A missing media type counts as JSON, as in the rest of the API.
  if (!body.hasMediaType(JSON_MEDIA_TYPE)) {
    if (body.hasMediaType(FORM_MEDIA_TYPE)) return readForm(body)
    throw invalidRequest('Request body must be JSON, or application/x-www-form-urlencoded.')
  }
  const members = Object.entries(await readOAuthJson(body)).filter(([, value]) => value !== null)
  const nonStrings = members.filter(([name, value]) => names.includes(name) && typeof value !== 'string')
  if (nonStrings.length > 0) {
    throw invalidRequest(
      'The request is invalid.',
      Object.fromEntries(nonStrings.map(([name]) => [name, 'Must be a string.'])),
    )
  }
  return Object.fromEntries(
    members.filter((member): member is [string, string] => typeof member[1] === 'string'),
  )
}
