import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { newId } from '../crypto/ids.ts'
import { composeMessage, type Mailer } from './mail.ts'
import { parseMailbox } from './mailbox.ts'

export interface FolderMailerOptions {
  readonly folder: string
  /** As `mailboxFrom` reads it. */
  readonly from: string
}

/** Writes each mail to a file that a mail program opens, and that nobody else may read. @throws Error for a sender that cannot be read */
export function folderMailer({ folder, from }: FolderMailerOptions): Mailer {
  const sender = parseMailbox(from)
  return {
    async send(mail) {
      const { createTransport } = await import('nodemailer')
      const transport = createTransport({ streamTransport: true, buffer: true, newline: 'unix' })
      const [text, html] = [buildRawPart('text/plain', mail.text), buildRawPart('text/html', mail.html)]
      const { message } = await transport.sendMail({ ...composeMessage(sender, mail), text, html })
      const name = `${new Date().toISOString().replaceAll(':', '-')}-${newId()}.eml`
      await mkdir(folder, { recursive: true, mode: 0o700 })
      // Whoever watches the folder sees no half of a mail.
      const temporaryFile = join(folder, `.${name}`)
      await writeFile(temporaryFile, message, { mode: 0o600, flag: 'wx' })
      await rename(temporaryFile, join(folder, name))
      return { file: name }
    },
    async close() {},
  }
}

/** So that a link is found in the file as it is. */
function buildRawPart(type: string, content: string): { readonly raw: string } {
  return { raw: `Content-Type: ${type}; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n${content}` }
}
