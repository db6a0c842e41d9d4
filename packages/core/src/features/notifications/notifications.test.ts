import { expect, test } from 'vitest'
import { catchFieldErrors, catchRejection, createTestCrm, UNKNOWN_ID } from '../../../test/harness.ts'
import { CONSOLE_CLIENT_ID } from '../../kernel/console-client.ts'
import type { OutgoingMail } from '../mail/outgoing-mail.ts'

async function setUp() {
  const base = await createTestCrm()
  const { crm, owner, ann } = base
  const seenBy = async (actor: typeof owner) => (await crm.notifications.list(actor)).data
  const sendMail = async () => {
    const sent: OutgoingMail[] = []
    await crm.mail.send(async (mail) => void sent.push(mail))
    return sent.filter(({ kind }) => kind === 'notice' || kind === 'tasks_of_day')
  }
  const inConsole = (actor: typeof owner) => ({ ...actor, clientId: CONSOLE_CLIENT_ID })
  const mention = (...ids: readonly string[]) =>
    ids.map((id) => `<a href="https://crm.example/members/${id}">@x</a>`).join(' ')
  const person = await crm.people.create(owner, { full_name: 'Ana', owner_user_id: owner.userId })
  const note = (...ids: readonly string[]) => ({
    ...{ entity: 'people' as const, entity_id: person.id, content_html: `Hi ${mention(...ids)}` },
  })
  const hidePeople = () => crm.workspace.update(owner, { visibility: { people: 'owner' } })
  return { ...base, seenBy, sendMail, inConsole, mention, person, note, hidePeople, ann }
}

test('a mention notifies each newly mentioned member once, and nobody of an own one', async () => {
  const { crm, owner, ann, ben, note, person, seenBy } = await setUp()
  const { id } = await crm.activities.create(owner, note(ann.userId, owner.userId))
  expect(await seenBy(ann)).toMatchObject([
    {
      ...{ kind: 'mention', entity: 'people', entity_id: person.id, title: 'Ana', activity_id: id },
      ...{ event: 'activity.created', actor: { id: owner.userId }, read_at: null, changes: 1 },
    },
  ])
  await crm.activities.update(owner, id, { content_html: note(ann.userId, ben.userId).content_html })
  await crm.activities.update(owner, id, { content_html: 'none' })
  await crm.activities.update(owner, id, { content_html: note(ann.userId).content_html })
  expect([await seenBy(ann), await seenBy(ben), await seenBy(owner)].map(({ length }) => length)).toEqual([
    1, 1, 0,
  ])
})

test('a mention notifies nobody who does not see the record, was removed, or is of another workspace', async () => {
  const { crm, owner, ann, ben, otherOwner, note, seenBy, hidePeople } = await setUp()
  await hidePeople()
  await crm.members.remove(owner, ben.userId)
  const ids = [ann.userId, ben.userId, otherOwner.userId, UNKNOWN_ID]
  expect((await crm.activities.create(owner, note(...ids))).content_html).toContain(ids[0])
  expect([await seenBy(ann), await seenBy(otherOwner)]).toEqual([[], []])
})

test('a note mentions at most twenty members', async () => {
  const { crm, owner, note } = await setUp()
  const ids = Array.from({ length: 21 }, (_, nth) => UNKNOWN_ID.replace(/^ff/, String(nth + 10)))
  await crm.activities.create(owner, note(...ids.slice(1)))
  expect(await catchFieldErrors(crm.activities.create(owner, note(...ids)))).toEqual({
    content_html: 'Must mention at most 20 members.',
  })
})

test('changes by others within ten minutes are one notification of a follower', async () => {
  const { crm, owner, admin, ann, ben, person, note, seenBy, clock } = await setUp()
  await crm.people.follow(ann, person.id)
  await crm.people.follow(ann, person.id)
  await crm.people.follow(owner, person.id)
  await crm.people.update(owner, person.id, { position: 'CTO' })
  await crm.activities.create(owner, note())
  expect(await seenBy(owner)).toEqual([])
  expect(await seenBy(ann)).toMatchObject([{ kind: 'change', changes: 2, event: 'activity.created' }])
  clock.advance(601)
  await crm.people.update(owner, person.id, { position: 'CEO' })
  expect(await seenBy(ann)).toMatchObject([{ changes: 1, event: 'person.updated' }, { changes: 2 }])
  await crm.people.unfollow(ann, person.id)
  await crm.people.unfollow(ben, person.id)
  await crm.people.update(owner, person.id, { position: 'COO' })
  expect(await seenBy(ann)).toHaveLength(2)
  expect((await crm.people.get(owner, person.id, { include: 'following' })).following).toBe(true)
  expect((await crm.people.get(ann, person.id, { include: 'following' })).following).toBe(false)
  expect(await crm.people.get(ann, person.id)).not.toHaveProperty('following')
  clock.advance(601)
  await crm.people.remove(admin, person.id)
  expect(await seenBy(owner)).toMatchObject([{ event: 'person.deleted', title: null }])
})

test('following changes neither the record nor its version, and sends no event', async () => {
  const { crm, ann, person } = await setUp()
  const before = await crm.people.getVersioned(ann, person.id)
  await crm.people.follow(ann, person.id)
  expect(await crm.people.getVersioned(ann, person.id)).toEqual(before)
})

test('following ends with the sight of the record and with the membership', async () => {
  const { crm, owner, ann, ben, person, seenBy, hidePeople, storage } = await setUp()
  await crm.people.follow(ann, person.id)
  await crm.people.follow(ben, person.id)
  await crm.people.update(owner, person.id, { position: 'CTO' })
  expect(await seenBy(ann)).toMatchObject([{ title: 'Ana' }])
  await hidePeople()
  await crm.people.update(owner, person.id, { position: 'CEO' })
  expect(await seenBy(ann)).toMatchObject([{ title: null, changes: 1 }])
  expect(await catchRejection(crm.people.follow(ann, person.id))).toMatchObject({ code: 'not_found' })
  await crm.workspace.update(owner, { visibility: { people: 'everyone' } })
  await crm.members.remove(owner, ben.userId)
  await crm.operator.addMember({ workspace: 'acme', name: 'Ben', email: 'ben@acme.example', role: 'member' })
  await crm.people.update(owner, person.id, { position: 'COO' })
  const rows = await storage.read((tx) => tx.workspace(owner.workspaceId).notifications.find([]))
  expect(rows.filter(({ member_id }) => member_id === ben.userId)).toMatchObject([{ changes: 2 }])
})

test('a member reads and changes only its own notifications', async () => {
  const { crm, owner, ann, ben, note, seenBy } = await setUp()
  await crm.activities.create(owner, note(ann.userId))
  await crm.activities.create(owner, note(ann.userId))
  const [first] = await seenBy(ann)
  expect(await catchRejection(crm.notifications.update(ben, first!.id, { read: true }))).toMatchObject({
    code: 'not_found',
    message: 'Notification not found.',
  })
  const read = await crm.notifications.update(ann, first!.id, { read: true })
  expect(read.read_at).not.toBeNull()
  const unread = async () => (await crm.notifications.list(ann, { unread: true })).meta.total
  expect([await unread(), (await crm.notifications.list(ann, { unread: false })).meta.total]).toEqual([1, 1])
  expect(await crm.notifications.readAll(ben, { read: true })).toEqual({ read: 0 })
  expect(await crm.notifications.readAll(ann, { read: true })).toEqual({ read: 1 })
  expect(await unread()).toBe(0)
  expect((await crm.notifications.update(ann, first!.id, { read: false })).read_at).toBeNull()
  const scopes = new Set(['tasks:read'])
  expect((await crm.notifications.list({ ...ann, scopes })).data).toMatchObject([{ title: null }, {}])
  expect(await catchFieldErrors(crm.notifications.readAll(ann, { read: false } as never))).toEqual({
    read: 'Must be true.',
  })
  await crm.members.remove(owner, ann.userId)
  expect(await catchRejection(crm.notifications.list(ann))).toMatchObject({ code: 'unauthorized' })
})

test('a notification is deleted after ninety days', async () => {
  const { crm, owner, ann, note, clock, storage } = await setUp()
  await crm.activities.create(owner, note(ann.userId))
  const count = () =>
    storage.read(async (tx) => (await tx.workspace(owner.workspaceId).notifications.find([])).length)
  clock.advance(86_400)
  await crm.activities.create(owner, note(ann.userId))
  clock.advance(89 * 86_400 - 1)
  while ((await crm.deleteExpired()) > 0);
  expect(await count()).toBe(2)
  clock.advance(1)
  while ((await crm.deleteExpired()) > 0);
  expect(await count()).toBe(1)
  clock.advance(86_400)
  while ((await crm.deleteExpired()) > 0);
  expect(await count()).toBe(0)
})

test('a reminder notifies the owner of an open task once, also one that is late', async () => {
  const { crm, owner, ann, seenBy, clock } = await setUp()
  const remind_at = '2026-03-01T13:00:00.000Z'
  const create = (fields: object) => crm.tasks.create(owner, { title: 'Call', remind_at, ...fields })
  const task = await create({ owner_user_id: ann.userId })
  expect(task.remind_at).toBe(remind_at)
  const done = await create({ owner_user_id: ann.userId, title: 'Done' })
  const gone = await create({ owner_user_id: ann.userId, title: 'Gone' })
  const cleared = await create({ owner_user_id: ann.userId, title: 'Cleared' })
  await create({ title: 'Nobody’s', owner_user_id: null })
  expect(await crm.reminders.send()).toBe(0)
  await crm.tasks.update(owner, done.id, { completed: true })
  await crm.tasks.remove(owner, gone.id)
  await crm.tasks.update(owner, cleared.id, { remind_at: null })
  clock.advance(86_400)
  await Promise.all([crm.reminders.send(), crm.reminders.send()])
  expect(await crm.reminders.send()).toBe(0)
  expect(await seenBy(ann)).toMatchObject([{ kind: 'reminder', title: 'Call', actor: null }])
  await crm.tasks.update(owner, task.id, { remind_at: '2026-03-02T12:30:00Z' })
  await crm.tasks.update(owner, task.id, { remind_at: '2026-03-02T14:00:00Z' })
  clock.advance(3600)
  expect(await crm.reminders.send()).toBe(0)
  clock.advance(3600)
  expect(await crm.reminders.send()).toBe(1)
  expect(await seenBy(ann)).toHaveLength(2)
  expect(await catchFieldErrors(create({ remind_at: '2026-03-01' }))).toHaveProperty('remind_at')
})

test('the mail of the day has the open tasks that are due, once a day, unless there are none', async () => {
  const { crm, owner, ann, inConsole, seenBy, sendMail, clock } = await setUp()
  await crm.workspace.update(owner, { time_zone: 'America/Sao_Paulo' })
  const me = await crm.members.updateMe(inConsole(ann), { reminder_time: '10:00', language: 'pt-BR' })
  expect(me).toMatchObject({
    reminder_time: '10:00',
    language: 'pt-BR',
    notices: { reminder: { app: true } },
  })
  clock.set('2026-03-01T13:00:00.000Z')
  await Promise.all([crm.reminders.send(), crm.reminders.send()])
  expect(await sendMail()).toEqual([])
  const due = (title: string, due_date: string, fields = {}) =>
    crm.tasks.create(owner, { title, due_date, owner_user_id: ann.userId, ...fields })
  await due('Old', '2026-02-27T12:00:00Z')
  await due('Today', '2026-03-02T23:59:00-03:00')
  await due('Tomorrow', '2026-03-03T23:59:00-03:00')
  await due('Done', '2026-03-01T12:00:00Z', { completed: true })
  await due('Another’s', '2026-03-01T12:00:00Z', { owner_user_id: owner.userId })
  clock.set('2026-03-02T13:00:00.000Z')
  await Promise.all([crm.reminders.send(), crm.reminders.send()])
  expect(await sendMail()).toEqual([
    {
      ...{ kind: 'tasks_of_day', to: 'ann@acme.example', language: 'pt-BR', workspace_name: 'Acme' },
      ...{ day: '2026-03-02', due: ['Today'], overdue: ['Old'], others: 0 },
      link: 'https://crm.example/w/acme/tasks',
    },
  ])
  expect((await seenBy(ann)).map(({ kind, title }) => `${kind} ${title}`).toSorted()).toEqual([
    'task_due Today',
    'task_overdue Old',
  ])
  clock.set('2026-03-06T10:00:00.000Z')
  expect(await crm.reminders.send()).toBe(1)
  expect(await sendMail()).toMatchObject([{ overdue: ['Old', 'Today', 'Tomorrow'] }])
  expect(await seenBy(ann)).toHaveLength(4)
  await crm.members.updateMe(inConsole(ann), { reminder_time: null })
  clock.advance(7 * 86_400)
  expect(await crm.reminders.send()).toBe(0)
})

test('a member chooses for each kind whether it is listed and mailed', async () => {
  const { crm, owner, ann, ben, note, inConsole, seenBy, sendMail } = await setUp()
  await crm.members.updateMe(inConsole(ann), { notices: { mention: { mail: true } } })
  await crm.members.updateMe(inConsole(ben), { notices: { mention: { app: false } } })
  await crm.activities.create(owner, note(ann.userId, ben.userId))
  expect([(await seenBy(ann)).length, (await seenBy(ben)).length]).toEqual([1, 0])
  expect(await sendMail()).toMatchObject([
    { kind: 'notice', notice: 'mention', to: 'ann@acme.example', title: 'Ana', actor_name: 'Olga Owner' },
  ])
  const me = await crm.members.updateMe(inConsole(ann), { notices: { mention: { app: false } } })
  expect(me.notices.mention).toEqual({ app: false, mail: true })
  await crm.activities.create(owner, note(ann.userId))
  expect([(await seenBy(ann)).length, (await sendMail()).length]).toEqual([1, 1])
  expect(await catchRejection(crm.members.updateMe(ann, { language: 'en' }))).toMatchObject({
    code: 'forbidden',
  })
  const wrong = { reminder_time: '25:00', language: 'fr', notices: { mention: { app: 1 }, other: {} } }
  expect(await catchFieldErrors(crm.members.updateMe(inConsole(ann), wrong as never))).toEqual({
    reminder_time: 'Must be a time such as 08:30.',
    language: 'Must be one of: en, pt-BR.',
    'notices.mention.app': 'Must be true or false.',
    'notices.other': expect.stringContaining('Unknown field.'),
  })
})
