import { createOpaqueToken, parseOpaqueToken } from '../../engine/opaque-token.ts'
import { asService } from '../../engine/workspace-transaction.ts'
import type { Actor } from '../../kernel/actor.ts'
import { CONSOLE_CLIENT_ID } from '../../kernel/console-client.ts'
import { consolePage } from '../../kernel/console-page.ts'
import { forbidden, notFound } from '../../kernel/errors.ts'
import { addSeconds, DAY } from '../../kernel/instant.ts'
import type { Ports } from '../../ports/index.ts'
import type { Member } from '../../schema/member.ts'
import { buildCalendar, type CalendarTask } from './build-calendar.ts'

/** The log recognizes secrets by such a beginning. */
const PREFIX = 'crm_cf_'
const DAYS_BEFORE = 31
const DAYS_AFTER = 366
/** Tasks of one feed, the first due first. */
const MAX_TASKS = 1000

/** The address of a feed for every calendar that has it. */
export interface CalendarFeed {
  readonly url: string
}

/** The calendar of a member: the open tasks that are the member's own, with their titles. */
export interface CalendarApi {
  /**
   * Makes the address of the calendar, which replaces a former one. It is not stored.
   * @throws CrmError `forbidden` for other apps than the console, `not_found` for a member who was removed
   */
  createFeed(actor: Actor): Promise<CalendarFeed>
  /** Ends the address, if there is one. @throws CrmError as `createFeed` */
  removeFeed(actor: Actor): Promise<void>
  /**
   * The calendar as iCalendar; requires no actor. It ends with the membership.
   * @throws CrmError `not_found`
   */
  read(token: string): Promise<string>
}

type CalendarPorts = Pick<Ports, 'storage' | 'secrets' | 'random' | 'now' | 'issuer'>

export function calendarApi(ports: CalendarPorts): CalendarApi {
  const { storage, secrets, random, now, issuer } = ports

  async function changeFeed(
    { workspaceId, userId, clientId }: Actor,
    calendar_hash: Member['calendar_hash'],
  ): Promise<void> {
    await storage.transact(async (tx) => {
      const { members } = tx.workspace(workspaceId)
      const member = await members.getForUpdate(userId)
      if (!member || member.removed_at !== null) throw notFound('Member')
      if (clientId !== CONSOLE_CLIENT_ID) throw forbidden('update', 'member')
      await members.update({ ...member, calendar_hash })
    })
  }

  const isOpen = ({ calendar_hash, removed_at }: Member, token: string) =>
    removed_at === null && calendar_hash !== null && secrets.matches(token, calendar_hash)

  return {
    async createFeed(actor) {
      const token = createOpaqueToken(PREFIX, [actor.workspaceId, actor.userId], random)
      await changeFeed(actor, secrets.hash(token))
      return { url: `${issuer}/calendar/${token}.ics` }
    },
    removeFeed: (actor) => changeFeed(actor, null),
    async read(token) {
      return storage.read(async (tx) => {
        const [workspaceId, userId] = parseOpaqueToken(PREFIX, 2, token) ?? []
        if (workspaceId === undefined || userId === undefined) throw notFound('Calendar')
        const { shared, stores } = asService(tx, workspaceId)
        const [member, workspace] = await Promise.all([
          stores.members.get(userId),
          shared.workspaces.get(workspaceId),
        ])
        if (!workspace || !member || !isOpen(member, token)) throw notFound('Calendar')
        const at = now()
        const { rows } = await stores.tasks.list({
          ...{ page: 1, per_page: MAX_TASKS, order_by: 'due_date', order: 'asc', omit: ['notes'] },
          where: [
            { field: 'owner_user_id', is: userId },
            { field: 'completed', is: false },
            { field: 'due_date', from: addSeconds(at, -DAYS_BEFORE * DAY) },
            { field: 'due_date', to: addSeconds(at, DAYS_AFTER * DAY) },
          ],
        })
        const { time_zone: timeZone, name } = workspace
        const page = consolePage(issuer, workspace, 'tasks')
        return buildCalendar(rows as readonly CalendarTask[], { timeZone, name, issuer, page })
      })
    },
  }
}
