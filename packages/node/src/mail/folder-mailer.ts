import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { newId } from '../crypto/ids.ts'
import { composeMessage, type Mailer } from './mail.ts'
import { parseMailbox } from './mailbox.ts'

/** Options of `folderMailer`. */
export interface FolderMailerOptions {
  readonly folder: string
  /** An address, or a name and an address, in the syntax of `parseMailbox`. */
  readonly from: string
}

/**
 * Writes each mail to an `.eml` file, which mail programs open. Only the owner may read it.
 * @throws Error when `from` is invalid
 */
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
      // Written under a hidden name and renamed, so that a watcher of the folder sees no partial mail.
      const temporaryFile = join(folder, `.${name}`)
      await writeFile(temporaryFile, message, { mode: 0o600, flag: 'wx' })
      await rename(temporaryFile, join(folder, name))
      return { file: name }
    },
    async close() {},
  }
}

/** A part in `8bit` encoding, so that links appear unencoded in the file. */
function buildRawPart(type: string, content: string): { readonly raw: string } {
  return { raw: `Content-Type: ${type}; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n${content}` }
}
