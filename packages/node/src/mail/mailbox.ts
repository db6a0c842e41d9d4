/** The name may be empty. */
export interface Mailbox {
  readonly name: string
  readonly address: string
}

/** `local@domain`, without comments, quotes or other syntax that programs parse differently. */
const ADDRESS =
  /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*$/
const MAX_ADDRESS_LENGTH = 254
const NAME_AND_ADDRESS = /^(?:"([^"<>\\]{1,100})"|([^"<>\\]{1,100}?)) *<([^<>]+)>$/
/** Control and format characters, lone surrogates, line and paragraph separators. */
const FORBIDDEN_IN_NAME = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u

export function isMailAddress(text: string): boolean {
  return text.length <= MAX_ADDRESS_LENGTH && ADDRESS.test(text)
}

/**
 * Parses `crm@acme.example`, `Acme <crm@acme.example>` and `"Acme, Inc." <crm@acme.example>`.
 * @throws Error for any other form
 */
export function parseMailbox(text: string): Mailbox {
  const [, quoted, plain, bracketed] = NAME_AND_ADDRESS.exec(text) ?? []
  const [name, address] = [(quoted ?? plain ?? '').trim(), bracketed ?? text]
  if (!isMailAddress(address) || FORBIDDEN_IN_NAME.test(name))
    throw new Error('This is no e-mail address, nor a name and one.')
  return { name, address }
}
