import { isUuid, type Parameters } from '@sales-crm/core'

/** Returns the value of a parameter; `undefined` if it is missing or repeated. */
export function textValue(values: Parameters, name: string): string | undefined {
  const value = values[name]
  return typeof value === 'string' ? value : undefined
}

/** Returns the address for display, cut to the maximum length of an e-mail address. */
export function emailValue(form: Parameters): string {
  return (textValue(form, 'email') ?? '').slice(0, 254)
}

const SIGNED_IN_PAGES = /^\/(?:account(?:\/password)?|workspaces\/[a-z0-9-]{1,100}\/members)$/

/** Returns the path of a page that requires a session; `undefined` for any other text, to prevent open redirects. */
export function pageValue(values: Parameters): string | undefined {
  const text = textValue(values, 'page')
  return text !== undefined && SIGNED_IN_PAGES.test(text) ? text : undefined
}

/** Returns the id of an authorization request in lower case, as ids are stored; `undefined` for any other text. */
export function requestValue(values: Parameters): string | undefined {
  const text = textValue(values, 'request')
  return text !== undefined && isUuid(text) ? text.toLowerCase() : undefined
}
