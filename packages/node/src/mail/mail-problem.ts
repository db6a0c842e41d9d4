import type { SmtpServer } from './smtp-url.ts'

const LONGEST = 300

/** What hindered, for a log: whom the mail was for, what stands in it and the password stay out, whatever the server wrote back. */
export function mailProblem(error: unknown, { host, auth }: SmtpServer): Error {
  const { message, code } = error instanceof Error ? (error as NodeJS.ErrnoException) : { message: String(error), code: undefined }
  const said = withoutSecrets(message, auth ? formsOf(auth) : [])
  return Object.assign(new Error(`Mail server ${host}: ${said}`), code !== undefined && { code })
}

export function withoutSecrets(text: string, hidden: readonly string[]): string {
  return hidden
    .toSorted((a, b) => b.length - a.length)
    .reduce((rest, each) => rest.replaceAll(each, '***'), text)
    .replaceAll(/\b[a-z]+:\/\/\S+/gi, '[link]')
    .replaceAll(/[^\s<>()[\],;:"]+@/g, '…@')
    .replaceAll(/[\w+/=-]{32,}/g, '…')
    .replaceAll(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
    .slice(0, LONGEST)
}

/** Servers quote the command they refuse, in which a password is in Base64. */
function formsOf({ user, pass }: { readonly user: string; readonly pass: string }): string[] {
  const base64 = (value: string) => Buffer.from(value).toString('base64')
  return [pass, encodeURIComponent(pass), base64(pass), base64(`\0${user}\0${pass}`)]
}
