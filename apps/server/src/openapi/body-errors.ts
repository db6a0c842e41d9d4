import { badRequest, CrmError, validationError } from '@sales-crm/core'

/** Errors of any JSON body, thrown before its fields are validated. */
export const BODY_ERRORS: readonly CrmError[] = [
  badRequest('Request body must be valid JSON.'),
  badRequest('Request body must be a JSON object.'),
  badRequest('Request body is too large.'),
  badRequest('Request body is nested too deeply.'),
  badRequest('Request body holds too many values.'),
]

export const NO_FIELDS = badRequest('No fields provided for update.', {
  titel: 'Unknown field. Did you mean "title"?',
})

export const INVALID_PAGING = validationError({ per_page: 'Must be between 1 and 100.' })

export const UNKNOWN_PARAMETER = validationError({ expand: 'Unknown parameter.' })

/** @param label record type that begins the message, such as `Person` */
export function partialUpdateError(label: string): CrmError {
  return new CrmError('internal_error', `${label} updated but associations failed. Retry the associations.`)
}
