/** Formats of the service's secrets and of HTTP credentials: tokens, sealed values, webhook secrets. */
const SECRET_FORMATS = /((?:[Bb]asic|[Bb]earer) )[\w.~+/=-]+|eyJ[\w.-]+|crm_[a-z]{2,3}_\w+|whsec_\w+/g

/** App secrets and the random part of other tokens. This search is too slow for every log line. */
const RANDOM_HEX = /[0-9a-f]{64,}/gi

const SECRET_NAMES =
  'authorization|(?:client|webhook)_secret|(?:access|refresh)_token|set-cookie|cookie|idempotency-key|password'

/**
 * `password=…`, `Cookie: …`, `"code":"…"`. `code` and `token` match only before `=` or as a key: both are
 * common words.
 */
const NAMED_SECRET = new RegExp(
  `((?:${SECRET_NAMES})["']?\\s*[:=]\\s*|\\b(?:code|token)(?:=|["']\\s*:\\s*))(?:"(?:[^"\\\\]|\\\\.)*"?|'[^']*'?|[^\\s"'&,;)}]+)`,
  'gi',
)

/** Starts at the start of a run only: from each of its characters, a long run would take quadratic time. */
const EMAIL_ADDRESS = /(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g

/** Replaces values in the format of a secret. Valid JSON stays valid. */
export function redactSecrets(text: string): string {
  return text.replaceAll(SECRET_FORMATS, '$1…')
}

/** Replaces secrets by format and by name, and e-mail addresses, in text from outside the service. */
export function redact<T extends string | undefined>(text: T): T {
  return (
    text &&
    (redactSecrets(text)
      .replaceAll(RANDOM_HEX, '…')
      .replaceAll(NAMED_SECRET, '$1…')
      .replaceAll(EMAIL_ADDRESS, '…') as T)
  )
}

/** The fields of an error that may be logged: drivers attach statements and values. */
export function serializeError(thrown: unknown): object {
  if (!(thrown instanceof Error)) return { message: redact(String(thrown)) }
  const { name, message, stack } = thrown
  return {
    name,
    message: redact(message),
    code: 'code' in thrown ? String(thrown.code) : undefined,
    stack: redact(stack),
  }
}
