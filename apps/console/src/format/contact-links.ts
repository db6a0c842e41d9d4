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
