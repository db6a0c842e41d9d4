import * as v from 'valibot'
import { validatePatch } from '../../engine/validate-patch.ts'
import { inWorkspace } from '../../engine/workspace-transaction.ts'
import type { Actor } from '../../kernel/actor.ts'
import { CONSOLE_CLIENT_ID } from '../../kernel/console-client.ts'
import { forbidden, notFound } from '../../kernel/errors.ts'
import { flag, oneOf } from '../../kernel/field-schemas.ts'
import { object } from '../../kernel/object-schemas.ts'
import type { Ports } from '../../ports/index.ts'
import { LANGUAGES, type Member } from '../../schema/member.ts'
import { NOTICE_KINDS, type NoticeKind, type NoticeSettings } from '../../schema/notification.ts'
import { channelsOf } from '../notifications/notice-settings.ts'
import { findNextReminder, isTimeOfDay } from '../notifications/reminder-time.ts'
import { setTimer } from '../notifications/set-timer.ts'

const TIME_RULE = 'Must be a time such as 08:30.'

const timeOfDay = v.pipe(v.string(TIME_RULE), v.maxLength(5, TIME_RULE), v.check(isTimeOfDay, TIME_RULE))

const channels = v.optional(object({ app: v.optional(flag), mail: v.optional(flag) }))

type ChannelChanges = typeof channels

export const meChanges = object({
  language: v.optional(v.nullable(oneOf(LANGUAGES))),
  reminder_time: v.optional(v.nullable(timeOfDay)),
  notices: v.optional(
    object(
      Object.fromEntries(NOTICE_KINDS.map((kind) => [kind, channels])) as Record<NoticeKind, ChannelChanges>,
    ),
  ),
})

/** Input of `crm.members.updateMe`. What is left out stays. */
export type MeChanges = v.InferInput<typeof meChanges>

/**
 * Changes the settings of a member who is signed in to the console.
 * @throws CrmError `validation_error`, `bad_request`, `forbidden` for other apps, `not_found` for a member who was removed
 */
export async function changeMe(
  ports: Pick<Ports, 'storage' | 'now' | 'newId'>,
  actor: Actor,
  input: MeChanges,
): Promise<void> {
  const { notices = {}, ...changes } = validatePatch(meChanges, input)
  await ports.storage.transact(async (tx) => {
    const transaction = inWorkspace(tx, actor)
    const before = await transaction.service.stores.members.getForUpdate(actor.userId)
    if (!before || before.removed_at !== null) throw notFound('Member')
    if (actor.clientId !== CONSOLE_CLIENT_ID) throw forbidden('update', 'member')
    const after: Member = { ...before, ...changes, notices: mergeNotices(before, notices) }
    await transaction.service.stores.members.update(after)
    if (changes.reminder_time === undefined) return
    const workspace = await tx.workspaces.get(actor.workspaceId)
    const at = ports.now()
    const time = changes.reminder_time
    const due_at = time === null ? null : findNextReminder(at, time, workspace?.time_zone ?? 'UTC')
    const timer = { kind: 'day_reminder', subject_id: actor.userId, due_at } as const
    await setTimer(timer, transaction, { at, newId: ports.newId })
  })
}

type NoticeChanges = NonNullable<v.InferOutput<typeof meChanges>['notices']>

function mergeNotices(before: Member, changes: NoticeChanges): NoticeSettings {
  const changed = NOTICE_KINDS.filter((kind) => changes[kind] !== undefined).map((kind) => {
    const { app, mail } = channelsOf(before, kind)
    return [kind, { app: changes[kind]?.app ?? app, mail: changes[kind]?.mail ?? mail }] as const
  })
  return { ...before.notices, ...Object.fromEntries(changed) }
}
