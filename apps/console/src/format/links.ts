const LABEL = String.raw`[\p{L}\p{N}](?:[\p{L}\p{N}\p{M}-]{0,61}[\p{L}\p{N}\p{M}])?`
/** A host with a dot, as the beginning of an address. */
const HOST = new RegExp(
  String.raw`^(?:${LABEL}\.)+(?:\p{L}{2,63}|xn--[a-z\d-]+)(?::\d{1,5})?(?:[/?#]\S*)?$`,
  'iu',
)

/** Puts `https://` before an address that was typed without it. Leaves a text that does not look like one. */
export function completeLink(typed: string): string {
  const text = typed.trim()
  const address = text.replace(/^\/\//, '')
  return HOST.test(address) ? `https://${address}` : text
}

/** The link that writes to an e-mail address. Nothing in the address can add another recipient or a header. */
export function mailtoHref(email: string): string {
  const at = email.lastIndexOf('@')
  const [local, domain] = [email.slice(0, Math.max(at, 0)), email.slice(at + 1)]
  return `mailto:${encodeURIComponent(local)}@${encodeURIComponent(domain)}`
}

/** The link that calls a phone number: its digits, and the sign of the country code. */
export function telHref(phone: string): string {
  const digits = phone.replace(/\D/g, '')
  return `tel:${phone.trim().startsWith('+') ? '+' : ''}${digits}`
}
