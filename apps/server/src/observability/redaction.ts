/**
 * Forms of our secrets, whatever stands before them: tokens, handles, secrets of webhooks, and what HTTP
 * authenticates by.
 */
const SECRET_FORMATS = /((?:[Bb]asic|[Bb]earer) )[\w.~+/=-]+|eyJ[\w.-]+|crm_[a-z]{2,3}_\w+|whsec_\w+/g

/** The secret of an app, and the random part of the others. To look for it takes too long for every line. */
const RANDOM_HEX = /[0-9a-f]{64,}/gi

const SECRET_NAMES =
  'authorization|(?:client|webhook)_secret|(?:access|refresh)_token|set-cookie|cookie|idempotency-key|password'

/** `password=…`, `Cookie: …`, `"code":"…"`. A code or a token is said of much else too. */
const NAMED_SECRET = new RegExp(
  `((?:${SECRET_NAMES})["']?\\s*[:=]\\s*|\\b(?:code|token)(?:=|["']\\s*:\\s*))(?:"(?:[^"\\\\]|\\\\.)*"?|'[^']*'?|[^\\s"'&,;)}]+)`,
  'gi',
)

const EMAIL_ADDRESS = /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g

/** Without what has the form of one of our secrets. It leaves JSON as sound as it was. */
export function redactSecrets(text: string): string {
  return text.replaceAll(SECRET_FORMATS, '$1…')
}

/**
 * Text of others as a log may hold it: without what has the form or the name of a secret, and without
 * addresses of mail.
 */
export function redact<T extends string | undefined>(text: T): T {
  return (
    text &&
    (redactSecrets(text)
      .replaceAll(RANDOM_HEX, '…')
      .replaceAll(NAMED_SECRET, '$1…')
      .replaceAll(EMAIL_ADDRESS, '…') as T)
  )
}

/** What an operator may read of a failure: drivers hang statements and values on their errors. */
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
