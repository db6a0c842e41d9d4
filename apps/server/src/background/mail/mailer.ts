import { join } from 'node:path'
import { folderMailer, type Mailer, smtpMailer } from '@sales-crm/node'
import type { Settings } from '../../process/settings.ts'

/** Returns the folder for mail without an SMTP server. */
export function mailFolder({ dataDir }: Pick<Settings, 'dataDir'>): string {
  return join(dataDir, 'mail')
}

export function createMailer({
  mail: { smtpUrl: url, from },
  dataDir,
}: Pick<Settings, 'mail' | 'dataDir'>): Mailer {
  return url === undefined
    ? folderMailer({ folder: mailFolder({ dataDir }), from })
    : smtpMailer({ url, from })
}
