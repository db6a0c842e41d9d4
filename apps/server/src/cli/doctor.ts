import { isLoopback } from '../http/local-request.ts'
import type { Settings } from '../process/settings.ts'
import { type CheckReport, type CheckResult, runCheck } from './checks/check.ts'
import { checkConsole } from './checks/console-check.ts'
import { checkDatabase } from './checks/database-checks.ts'
import { checkDisk } from './checks/disk-check.ts'
import { checkMail } from './checks/mail-check.ts'
import type { Command, CommandContext } from './command.ts'
import { formatColumns } from './table.ts'

export const doctor: Command = {
  summary:
    'check the settings, the secret key against what it sealed, the database and its clock, the ' +
    'quotas, the console, the disk and the mail server',
  options: {},
  async run(context) {
    const checks = await runChecks(context)
    const hasFailed = checks.some(({ status }) => status === 'fail')
    return {
      value: { ok: !hasFailed, checks },
      text: formatColumns(checks.map(({ name, status, detail }) => [status, name, detail])),
      hasFailed,
    }
  },
}

async function runChecks(context: CommandContext): Promise<CheckReport[]> {
  let settings: Settings | undefined
  const settingsCheck = await runCheck('settings', async () => {
    settings = context.settings()
    return checkSettings(settings)
  })
  if (!settings) return [settingsCheck]
  const validSettings = settings
  return [
    settingsCheck,
    ...(await checkDatabase(validSettings, context.progress)),
    await runCheck('console', () => checkConsole(validSettings)),
    await runCheck('disk', () => checkDisk(validSettings)),
    await runCheck('mail', () => checkMail(validSettings)),
  ]
}

function checkSettings({ baseUrl, host, port, outbound }: Settings): CheckResult {
  const address = `${baseUrl} on ${host}:${port}`
  if (!outbound.allowPrivate || isLoopback(baseUrl)) return ['ok', address]
  const risk =
    'WEBHOOK_ALLOW_PRIVATE=true lets what callers ask for reach every private address, and is for ' +
    'development only'
  return [
    'warn',
    `${address}. ${risk}. Unset it, and name the ranges that are needed in OUTBOUND_ALLOW_CIDRS.`,
  ]
}
