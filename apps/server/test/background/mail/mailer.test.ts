import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SMTPServer } from 'smtp-server'
import { expect, onTestFinished, test } from 'vitest'
import { createMailer, mailFolder } from '../../../src/background/mail/mailer.ts'
import { renderMail } from '../../../src/background/mail/render-mail.ts'
import { loadSettings } from '../../../src/process/settings.ts'
import { type CliResult, createCli } from '../../support/crm-cli.ts'

const FROM = 'Sales CRM <crm@acme.example>'

/** Starts a mail server that accepts one password. */
async function startMailServer(): Promise<number> {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth({ username, password }, _, done) {
      if (password === 'hunter2') done(null, { user: username })
      else done(new Error(`${password} is wrong`))
    },
  })
  server.on('error', () => {})
  onTestFinished(() => new Promise<void>((closed) => server.close(() => closed())))
  return portOf(server.listen(0, '127.0.0.1'))
}

async function portOf(server: Server): Promise<number> {
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

async function checkMail(env: Readonly<Record<string, string>>) {
  const { crm } = await createCli(env)
  return runMailCheck(crm)
}

async function runMailCheck(crm: (...args: string[]) => Promise<CliResult>) {
  const { code, stdout } = await crm('doctor', '--json')
  const { checks } = JSON.parse(stdout) as {
    checks: readonly { name: string; status: string; detail: string }[]
  }
  return { code, stdout, mail: checks.find(({ name }) => name === 'mail') }
}

test('doctor reports the mail folder without a mail server', async () => {
  const { mail } = await checkMail({})
  expect(mail).toEqual({
    name: 'mail',
    status: 'ok',
    detail: 'written to data/mail, since SMTP_URL is not set',
  })
})

test('doctor fails when the mail folder is below a file', async () => {
  const { crm, folder } = await createCli()
  await mkdir(join(folder, 'data/mail'), { recursive: true })
  expect((await runMailCheck(crm)).mail).toMatchObject({ status: 'ok' })
  await rm(join(folder, 'data'), { recursive: true })
  await writeFile(join(folder, 'data'), '')
  const { code, mail } = await runMailCheck(crm)
  const advice = 'Make it a folder that this user may write to, or set SMTP_URL.'
  expect(mail).toEqual({
    name: 'mail',
    status: 'fail',
    detail: `cannot be written to data/mail: ENOTDIR at data. ${advice}`,
  })
  expect(code).toBe(1)
})

test('doctor connects to the mail server and signs in', async () => {
  const port = await startMailServer()
  const { code, stdout, mail } = await checkMail({
    SMTP_URL: `smtp://mailer:hunter2@127.0.0.1:${port}`,
    MAIL_FROM: FROM,
  })
  expect(mail).toEqual({ name: 'mail', status: 'ok', detail: `127.0.0.1:${port} takes it, from ${FROM}` })
  expect(code).toBe(0)
  expect(stdout).not.toContain('hunter2')
})

test('doctor fails for a wrong password without showing it', async () => {
  const port = await startMailServer()
  const { code, stdout, mail } = await checkMail({
    SMTP_URL: `smtp://mailer:swordfish@127.0.0.1:${port}`,
    MAIL_FROM: FROM,
  })
  expect(mail?.status).toBe('fail')
  expect(mail?.detail).toBe(
    `Mail server 127.0.0.1:${port}: Invalid login: 535 *** is wrong. Correct SMTP_URL, or see to the server.`,
  )
  expect(code).toBe(1)
  expect(stdout).not.toContain('swordfish')
})

test('doctor fails for an unreachable mail server', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  const port = await portOf(server)
  await new Promise((closed) => server.close(closed))
  const { code, mail } = await checkMail({ SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: FROM })
  expect(mail?.status).toBe('fail')
  expect(mail?.detail).toMatch(/ECONNREFUSED.*Correct SMTP_URL, or see to the server\.$/)
  expect(code).toBe(1)
})

test('createMailer writes to the data folder without a mail server', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'crm-mail-test-'))
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }))
  const settings = loadSettings({ DATA_DIR: dataDir })
  expect(mailFolder(settings)).toBe(join(dataDir, 'mail'))
  const mail = renderMail({
    kind: 'password_changed',
    language: 'en',
    to: 'ana@acme.example',
    name: 'Ana',
    address: '203.0.113.7',
  })
  expect(await createMailer(settings).send(mail)).toEqual({ file: expect.stringMatching(/\.eml$/) })
})

test('createMailer sends to the mail server that is set', async () => {
  const mailer = createMailer(
    loadSettings({ SMTP_URL: `smtp://127.0.0.1:${await startMailServer()}`, MAIL_FROM: FROM }),
  )
  onTestFinished(() => mailer.close())
  const mail = renderMail({
    kind: 'password_changed',
    language: 'en',
    to: 'ana@acme.example',
    name: 'Ana',
    address: '203.0.113.7',
  })
  expect(await mailer.send(mail)).toEqual({})
})
