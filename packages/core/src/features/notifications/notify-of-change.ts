import type { Change, ChangeContext, EmitsEvents, PrepareEvents } from '../../engine/extension.ts'
import { findCurrentFollowers } from '../../engine/following.ts'
import type { ViewTransaction } from '../../engine/workspace-transaction.ts'
import type { Activity } from '../../schema/activity.ts'
import { FOLLOWED_KINDS, type FollowedKind, type Follower } from '../../schema/following.ts'
import type { NoticeEntity } from '../../schema/notification.ts'
import { findMentions } from './mentions.ts'
import { type Notice, type NoticePorts, notifyMember } from './notify-member.ts'

/** What members can be told of a change. */
interface Subject {
  readonly entity: NoticeEntity
  readonly id: string
  readonly followers: readonly Follower[]
}

/** Adds to the events of a change what its followers, and whom a note mentions, are told in the same transaction. */
export function withNotices(prepareEvents: PrepareEvents, ports: NoticePorts): PrepareEvents {
  return async (resource, transaction) => {
    const emit = await prepareEvents(resource, transaction)
    return async (change, context) => {
      await emit(change, context)
      await notifyOfChange({ resource, change, context }, transaction, ports)
    }
  }
}

interface NotedChange<Detail> {
  readonly resource: EmitsEvents<Detail>
  readonly change: Change<Detail>
  readonly context: ChangeContext
}

async function notifyOfChange<Detail>(
  noted: NotedChange<Detail>,
  transaction: ViewTransaction,
  ports: NoticePorts,
): Promise<void> {
  const { resource, change, context } = noted
  const isNote = resource.collection === 'activities'
  const subject = isNote
    ? await findNoteSubject(change.record as Activity, transaction)
    : findFollowed(resource.collection, change.record)
  if (!subject) return
  const { userId } = transaction.actor
  const mentioned = isNote
    ? (await findNewMentions(change as Change<unknown>, transaction)).filter((id) => id !== userId)
    : []
  const followers = (await findCurrentFollowers(subject, transaction))
    .map(({ member_id }) => member_id)
    .filter((id) => id !== userId && !mentioned.includes(id))
  if (mentioned.length + followers.length === 0) return

  // Excludes another change of the record, or note on it, that would be told at the same time.
  await transaction.lock(`notices ${subject.id}`)
  const event = await findEvent(noted, transaction)
  const activity_id = isNote && change.after ? change.record.id : null
  const base = { entity: subject.entity, entity_id: subject.id, event, activity_id, actor_user_id: userId }
  const notices: readonly Notice[] = [
    ...mentioned.map((member_id) => ({
      ...({ ...base, kind: 'mention', member_id } as const),
      cause: `mention ${change.record.id} ${member_id}`,
    })),
    ...followers.map((member_id) => ({
      ...({ ...base, kind: 'change', member_id } as const),
      cause: `change ${context.newId()}`,
    })),
  ]
  for (const notice of notices) await notifyMember(notice, transaction, { at: context.at, ports })
}

function findFollowed(collection: string, record: object): Subject | undefined {
  if (!FOLLOWED_KINDS.includes(collection as FollowedKind)) return undefined
  const { id, followers } = record as { readonly id: string; readonly followers: readonly Follower[] }
  return followers.length === 0 ? undefined : { entity: collection as FollowedKind, id, followers }
}

/** The record that a note is about, or the note. */
async function findNoteSubject(
  { id, person_id, company_id, deal_id }: Activity,
  { service: { stores } }: ViewTransaction,
): Promise<Subject> {
  const links = [
    ['people', person_id],
    ['companies', company_id],
    ['deals', deal_id],
  ] as const
  for (const [entity, linkedId] of links) {
    const linked = linkedId === null ? undefined : await stores[entity].get(linkedId)
    if (linked) return { entity, id: linked.id, followers: linked.followers }
  }
  return { entity: 'activities', id, followers: [] }
}

async function findNewMentions(
  { record, before, after }: Change<unknown>,
  transaction: ViewTransaction,
): Promise<readonly string[]> {
  if (!after) return []
  const mentions = findMentions((record as Activity).content_html, transaction.issuer)
  if (mentions.length === 0 || !before) return mentions
  const { content_html } = (await before(transaction)) as Pick<Activity, 'content_html'>
  const earlier = findMentions(content_html, transaction.issuer)
  return mentions.filter((id) => !earlier.includes(id))
}

/** The last event of a change is the most specific one: `deal.won` after `deal.updated`. */
async function findEvent<Detail>(
  { resource, change }: NotedChange<Detail>,
  transaction: ViewTransaction,
): Promise<string | null> {
  const [before, after] = [await change.before?.(transaction), await change.after?.(transaction)]
  return resource.events(before, after).at(-1) ?? null
}
