import { smtpMailer } from '@sales-crm/node'
import { mailFolder } from '../../background/mail/mailer.ts'
import { isLoopback } from '../../http/local-request.ts'
import type { Settings } from '../../process/settings.ts'
import type { CheckResult } from './check.ts'
import { writeProblem } from './folder-access.ts'

export async function checkMail(settings: Settings): Promise<CheckResult> {
  const { smtpUrl: url, from } = settings.mail
  if (url === undefined) return checkMailFolder(mailFolder(settings), isLoopback(settings.baseUrl))
  const mailer = smtpMailer({ url, from })
  try {
    await mailer.verify()
    return ['ok', `${new URL(url).host} takes it, from ${from}`]
  } catch (error) {
    return [
      'fail',
      `${error instanceof Error ? error.message : String(error)}. Correct SMTP_URL, or see to the server.`,
    ]
  } finally {
    await mailer.close()
  }
}

async function checkMailFolder(folder: string, isLocal: boolean): Promise<CheckResult> {
  const problem = await writeProblem(folder)
  if (problem !== undefined)
    return [
      'fail',
      `cannot be written to ${folder}: ${problem}. ` +
        'Make it a folder that this user may write to, or set SMTP_URL.',
    ]
  if (isLocal) return ['ok', `written to ${folder}, since SMTP_URL is not set`]
  return ['warn', `written to ${folder}, and sent to nobody. Set SMTP_URL.`]
}
