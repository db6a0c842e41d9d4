import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import PostalMime from 'postal-mime'
import { describe, expect, onTestFinished, test } from 'vitest'
import { folderMailer, type Mail } from '../../src/index.ts'

const LINK = `https://crm.example/invitations/crm_in_${'0123456789abcdef'.repeat(6)}`
const MAIL: Mail = {
  to: 'ana@acme.example',
  subject: 'Você foi convidada: Ação & Cia 🎉',
  text: `Olá!\n\nAbra o convite:\n${LINK}\n\nAté já.\n`,
  html: `<p>Olá!</p>\n<p><a href="${LINK}">Abrir</a></p>\n`,
}

async function createMailFolder() {
  const root = await mkdtemp(join(tmpdir(), 'crm-mail-test-'))
  onTestFinished(() => rm(root, { recursive: true, force: true }))
  return join(root, 'data', 'mail')
}

describe('folderMailer', () => {
  test('writes each mail to a file in MIME format', async () => {
    const folder = await createMailFolder()
    const { file } = await folderMailer({ folder, from: 'Sales CRM <no-reply@localhost>' }).send(MAIL)
    expect(file).toMatch(/^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d\.\d{3}Z-[0-9a-f-]{36}\.eml$/)
    expect(await readdir(folder)).toEqual([file])
    const email = await PostalMime.parse(await readFile(join(folder, file!)))
    expect(email).toMatchObject({
      from: { name: 'Sales CRM', address: 'no-reply@localhost' },
      to: [{ name: '', address: 'ana@acme.example' }],
      subject: MAIL.subject,
    })
    expect(email.text?.trim()).toBe(MAIL.text.trim())
    expect(email.html?.trim()).toBe(MAIL.html.trim())
  })

  test('writes links unencoded', async () => {
    const folder = await createMailFolder()
    const { file } = await folderMailer({ folder, from: 'crm@crm.example' }).send(MAIL)
    expect(await readFile(join(folder, file!), 'utf8')).toContain(`\n${LINK}\n`)
  })

  test('makes the files and the folder readable only by the owner', async () => {
    const folder = await createMailFolder()
    const { file } = await folderMailer({ folder, from: 'crm@crm.example' }).send(MAIL)
    const modeOf = async (path: string) => (await stat(path)).mode & 0o777
    expect(await modeOf(folder)).toBe(0o700)
    expect(await modeOf(join(folder, file!))).toBe(0o600)
  })

  test('writes simultaneous mails to separate files', async () => {
    const folder = await createMailFolder()
    const mailer = folderMailer({ folder, from: 'crm@crm.example' })
    const results = await Promise.all(Array.from({ length: 20 }, () => mailer.send(MAIL)))
    expect(await readdir(folder)).toEqual(results.map(({ file }) => file).toSorted())
  })

  test('does not allow a subject or recipient to add headers', async () => {
    const folder = await createMailFolder()
    const mailer = folderMailer({ folder, from: 'crm@crm.example' })
    const { file } = await mailer.send({ ...MAIL, subject: 'Hello\r\nBcc: eve@evil.example\r\n\r\nbody' })
    const email = await PostalMime.parse(await readFile(join(folder, file!)))
    expect(email.subject).toBe('Hello Bcc: eve@evil.example body')
    expect(email.bcc).toBeUndefined()
    await expect(mailer.send({ ...MAIL, to: 'a@b.example\r\nBcc: eve@evil.example' })).rejects.toThrow(
      'The recipient is no e-mail address.',
    )
    expect(await readdir(folder)).toEqual([file])
  })

  test('rejects when the folder cannot be created', async () => {
    const folder = await createMailFolder()
    const blocked = join(folder, 'mail')
    await folderMailer({ folder, from: 'crm@crm.example' }).send(MAIL)
    const [file] = await readdir(folder)
    await expect(
      folderMailer({ folder: join(folder, file!, 'mail'), from: 'crm@crm.example' }).send(MAIL),
    ).rejects.toThrow('ENOTDIR')
    await expect(stat(blocked)).rejects.toThrow('ENOENT')
  })
})
