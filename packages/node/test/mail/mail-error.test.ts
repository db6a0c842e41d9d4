import { expect, test } from 'vitest'
import { type SmtpMailer, smtpMailer, smtpServerFrom } from '../../src/index.ts'
import { toMailError } from '../../src/mail/mail-error.ts'
import { startMailServer } from './mail-server.ts'

const FROM = 'crm@crm.example'

async function errorOf(mailer: SmtpMailer): Promise<Error> {
  try {
    await mailer.verify()
  } catch (error) {
    return error as Error
  } finally {
    await mailer.close()
  }
  throw new Error('There was none.')
}

test.each([
  ['smtp://mail.example:25', 'mail.example:25'],
  ['smtp://mail.example', 'mail.example:587'],
  ['smtps://mail.example', 'mail.example:465'],
  ['smtp://[::1]:2525', '[::1]:2525'],
])('a problem with %s names %s', (url, named) => {
  expect(toMailError(new Error('Timeout'), smtpServerFrom(url)).message).toBe(`Mail server ${named}: Timeout`)
})

test('smtps:// where TLS comes later, if at all, is a problem that names the other scheme', async () => {
  const { port } = await startMailServer()
  const error = await errorOf(smtpMailer({ url: `smtps://127.0.0.1:${port}`, from: FROM }))
  const message = `Mail server 127.0.0.1:${port}: It does not speak TLS from the first byte (use smtp://)`
  expect(error).toMatchObject({ message, code: 'ESOCKET' })
})

test('smtp:// where TLS comes first is a problem that names the other scheme', async () => {
  const { port } = await startMailServer({ secure: true })
  const error = await errorOf(
    smtpMailer({ url: `smtp://127.0.0.1:${port}`, from: FROM, timeouts: { connect: 300 } }),
  )
  const message = `Mail server 127.0.0.1:${port}: Greeting never received (wrong port, or smtps:// is needed)`
  expect(error).toMatchObject({ message, code: 'ETIMEDOUT' })
})

test('smtps:// where nobody greets is a problem of the port', () => {
  const { message } = toMailError(
    new Error('Greeting never received'),
    smtpServerFrom('smtps://mail.example'),
  )
  expect(message).toBe('Mail server mail.example:465: Greeting never received (wrong port)')
})

test('words of the server about versions are no problem of the scheme', () => {
  const { message } = toMailError(
    new Error('550 wrong version number'),
    smtpServerFrom('smtp://mail.example'),
  )
  expect(message).toBe('Mail server mail.example:587: 550 wrong version number')
})
