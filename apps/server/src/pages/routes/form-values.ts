import { isUuid, type Parameters } from '@sales-crm/core'

/** What a form or an address holds once; `undefined` for what it does not hold, or holds twice. */
export function textValue(values: Parameters, name: string): string | undefined {
  const value = values[name]
  return typeof value === 'string' ? value : undefined
}

/** An e-mail as it is shown again; what is longer is none. */
export function emailValue(form: Parameters): string {
  return (textValue(form, 'email') ?? '').slice(0, 254)
}

/** An id as ids are kept; `undefined` for any other text. */
export function idValue(values: Parameters, name: string): string | undefined {
  const text = textValue(values, name)
  return text !== undefined && isUuid(text) ? text.toLowerCase() : undefined
}
