import { expect, test } from 'vitest'
import { catchRejection, createTestCrm } from '../../../test/harness.ts'

test('the notification of a mention is read by nobody while its member is removed', async () => {
  const { crm, owner, ann, ben } = await createTestCrm()
  const seenBy = async (actor: typeof owner) => (await crm.notifications.list(actor)).data
  const person = await crm.people.create(owner, { full_name: 'Ana' })
  await crm.activities.create(owner, {
    content_html: `<a href="https://crm.example/members/${ben.userId}">@ben</a>`,
    ...{ entity: 'people', entity_id: person.id },
  })
  const [{ id } = { id: '' }] = await seenBy(ben)
  await crm.members.remove(owner, ben.userId)
  for (const call of [
    crm.notifications.list(ben),
    crm.notifications.update(ben, id, { read: true }),
    crm.notifications.readAll(ben, { read: true }),
  ])
    expect(await catchRejection(call)).toMatchObject({ code: 'unauthorized' })
  expect([await seenBy(owner), await seenBy(ann)]).toEqual([[], []])
  expect(await catchRejection(crm.notifications.update(owner, id, { read: true }))).toMatchObject({
    code: 'not_found',
  })
  await crm.operator.addMember({ workspace: 'acme', name: 'Ben', email: 'ben@acme.example', role: 'member' })
  expect(await seenBy(ben)).toMatchObject([{ id, kind: 'mention', title: 'Ana' }])
})
