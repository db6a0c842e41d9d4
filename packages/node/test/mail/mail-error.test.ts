import { describe, expect, test } from 'vitest'
import { parseSmtpUrl, type SmtpMailer, smtpMailer } from '../../src/index.ts'
import { redact, toMailError } from '../../src/mail/mail-error.ts'
import { startMailServer } from './mail-server.ts'

const FROM = 'crm@crm.example'

async function catchVerifyError(mailer: SmtpMailer): Promise<Error> {
  try {
    await mailer.verify()
  } catch (error) {
    return error as Error
  } finally {
    await mailer.close()
  }
  throw new Error('The mailer verified the server.')
}

describe('a mail error', () => {
  test.each([
    ['smtp://mail.example:25', 'mail.example:25'],
    ['smtp://mail.example', 'mail.example:587'],
    ['smtps://mail.example', 'mail.example:465'],
    ['smtp://[::1]:2525', '[::1]:2525'],
  ])('for %s names %s', (url, address) => {
    expect(toMailError(new Error('Timeout'), parseSmtpUrl(url)).message).toBe(
      `Mail server ${address}: Timeout`,
    )
  })

  test('suggests smtp:// when the server does not speak TLS from the first byte', async () => {
    const { port } = await startMailServer()
    const error = await catchVerifyError(smtpMailer({ url: `smtps://127.0.0.1:${port}`, from: FROM }))
    const message = `Mail server 127.0.0.1:${port}: It does not speak TLS from the first byte (use smtp://)`
    expect(error).toMatchObject({ message, code: 'ESOCKET' })
  })

  test('suggests smtps:// when the server speaks TLS from the first byte', async () => {
    const { port } = await startMailServer({ secure: true })
    const error = await catchVerifyError(
      smtpMailer({ url: `smtp://127.0.0.1:${port}`, from: FROM, timeouts: { connect: 300 } }),
    )
    const message = `Mail server 127.0.0.1:${port}: Greeting never received (wrong port, or smtps:// is needed)`
    expect(error).toMatchObject({ message, code: 'ETIMEDOUT' })
  })

  test('suggests only the port for smtps:// without a greeting', () => {
    const { message } = toMailError(
      new Error('Greeting never received'),
      parseSmtpUrl('smtps://mail.example'),
    )
    expect(message).toBe('Mail server mail.example:465: Greeting never received (wrong port)')
  })

  test('does not mistake a server reply about versions for a wrong scheme', () => {
    const { message } = toMailError(
      new Error('550 wrong version number'),
      parseSmtpUrl('smtp://mail.example'),
    )
    expect(message).toBe('Mail server mail.example:587: 550 wrong version number')
  })
})

describe('redact', () => {
  test.each([
    ['550 5.1.1 <ana@acme.example>: no such user', '550 5.1.1 <…@acme.example>: no such user'],
    ['554 blocked http://crm.example/links/crm_ln_1', '554 blocked [link]'],
    ['554 blocked crm_ln_0123456789abcdef0123456789abcdef', '554 blocked …'],
    ['535 pw is secret', '535 pw is ***'],
    ['one\r\ntwo\u001b[31m\u202e', 'one two [31m'],
    ['x'.repeat(20).concat(' ').repeat(30), 'x'.repeat(20).concat(' ').repeat(30).slice(0, 300)],
  ])('removes secrets, addresses and links: %j', (text, redacted) => {
    expect(redact(text, ['secret'])).toBe(redacted)
  })
})
