import type { Log } from '../observability/log.ts'
import { serializeError } from '../observability/redaction.ts'
import type { OpenStore } from './open-store.ts'
import { PROGRAMS } from './program-names.ts'

/** Tells the operator of a new installation where to make the first workspace. */
export async function writeSetupLink({ crm, ports }: OpenStore, log: Log['log']): Promise<void> {
  const token = await crm.setup.createLink().catch((error) => {
    log.warn({ err: serializeError(error) }, 'The link for the setup was not made. Restart the service.')
  })
  if (token === undefined) return
  const text = `Open ${ports.issuer}/setup/${token} to set up. The link works until there is a workspace.`
  // The log removes secrets: this is the one that it may hold.
  if (process.stdout.isTTY === true) process.stdout.write(`\n${text}\n\n`)
  else if (log.isLevelEnabled('info'))
    process.stdout.write(`${JSON.stringify({ level: 30, time: ports.now(), msg: text })}\n`)
}

/** Tells the operator of a new installation that nobody can sign in yet. */
export async function logMissingWorkspace({ setup }: OpenStore['crm'], log: Log['log']): Promise<void> {
  if (await setup.isNeeded().catch(() => false))
    log.info(
      `There is no workspace yet. "${PROGRAMS.operate} workspace create --help" shows how to create one.`,
    )
}
