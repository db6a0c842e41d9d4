import { CrmError, invalidRequest, type Parameters } from '@sales-crm/core'
import {
  hasMediaType,
  JSON_MEDIA_TYPE,
  MAX_BODY_BYTES,
  readJson,
  UnreadBodyError,
} from '../http/request-body.ts'
import { FORM_MEDIA_TYPE, readForm } from '../http/urlencoded-form.ts'

/** More than any of these bodies has. Whoever sends one need not have said who it is, so that no work is done for larger ones. */
const MAX_OAUTH_VALUES = 1000

/**
 * A JSON object, refused in OAuth's words.
 * @throws CrmError `invalid_request`; `bad_request` when it is too large, `rate_limit_exceeded` when there is no room for it
 */
export async function readOAuthJson(request: Request): Promise<object> {
  try {
    return await readJson(request, MAX_BODY_BYTES, MAX_OAUTH_VALUES)
  } catch (error) {
    if (!(error instanceof CrmError) || error instanceof UnreadBodyError) throw error
    throw invalidRequest(error.message)
  }
}

/**
 * Parameters in a form, or else in JSON. Of a JSON object only the members that are text count, and those in `names` must be.
 * @throws CrmError `invalid_request`; `bad_request` when it is too large, `rate_limit_exceeded` when there is no room for it
 */
export async function readFormOrJson(request: Request, names: readonly string[]): Promise<Parameters> {
  // No media type at all is JSON, as everywhere.
  if (!hasMediaType(request, JSON_MEDIA_TYPE)) {
    if (hasMediaType(request, FORM_MEDIA_TYPE)) return readForm(request)
    throw invalidRequest('Request body must be JSON, or application/x-www-form-urlencoded.')
  }
  const members = Object.entries(await readOAuthJson(request)).filter(([, value]) => value !== null)
  const wrong = members.filter(([name, value]) => names.includes(name) && typeof value !== 'string')
  if (wrong.length > 0) {
    throw invalidRequest(
      'The request is invalid.',
      Object.fromEntries(wrong.map(([name]) => [name, 'Must be a string.'])),
    )
  }
  return Object.fromEntries(
    members.filter((member): member is [string, string] => typeof member[1] === 'string'),
  )
}
