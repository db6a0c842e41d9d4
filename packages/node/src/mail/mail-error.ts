import type { SmtpServer } from './smtp-url.ts'

const MAX_LENGTH = 300

/** Builds an error safe to log: recipient, content and password are removed from the server's reply. */
export function toMailError(error: unknown, server: SmtpServer): Error {
  const { message, code } =
    error instanceof Error ? (error as NodeJS.ErrnoException) : { message: String(error), code: undefined }
  const reason =
    explainTlsMismatch(message, server) ?? redact(message, server.auth ? encodingsOf(server.auth) : [])
  return Object.assign(
    new Error(`Mail server ${formatAddress(server)}: ${reason}`),
    code !== undefined && { code },
  )
}

function formatAddress({ host, port, secure }: SmtpServer): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port ?? (secure ? 465 : 587)}`
}

/** Explains errors of the wrong scheme, `smtp:` or `smtps:`, whose messages do not mention it. */
function explainTlsMismatch(message: string, { secure }: SmtpServer): string | undefined {
  if (secure && message.includes('wrong version number'))
    return 'It does not speak TLS from the first byte (use smtp://)'
  if (message !== 'Greeting never received') return undefined
  return `${message} (${secure ? 'wrong port' : 'wrong port, or smtps:// is needed'})`
}

export function redact(text: string, secrets: readonly string[]): string {
  return secrets
    .toSorted((a, b) => b.length - a.length)
    .reduce((result, secret) => result.replaceAll(secret, '***'), text)
    .replaceAll(/\b[a-z]+:\/\/\S+/gi, '[link]')
    .replaceAll(/[^\s<>()[\],;:"]+@/g, '…@')
    .replaceAll(/[\w+/=-]{32,}/g, '…')
    .replaceAll(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
    .slice(0, MAX_LENGTH)
}

/** All encodings of the password in SMTP: servers quote the rejected command, which carries it in Base64. */
function encodingsOf({ user, pass }: { readonly user: string; readonly pass: string }): string[] {
  const base64 = (value: string) => Buffer.from(value).toString('base64')
  return [pass, encodeURIComponent(pass), base64(pass), base64(`\0${user}\0${pass}`)]
}
