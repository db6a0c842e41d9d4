import type { Parameters } from '@sales-crm/core'

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/

/** What a form or an address holds once; `undefined` for what it does not hold, or holds twice. */
export function textIn(values: Parameters, name: string): string | undefined {
  const value = values[name]
  return typeof value === 'string' ? value : undefined
}

/** An e-mail as it is shown again; what is longer is none. */
export function emailIn(form: Parameters): string {
  return (textIn(form, 'email') ?? '').slice(0, 254)
}

/** An id as our own pages write it; `undefined` for any other text. */
export function idIn(values: Parameters, name: string): string | undefined {
  const text = textIn(values, name)
  return text !== undefined && UUID.test(text) ? text : undefined
}
