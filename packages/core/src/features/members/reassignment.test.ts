import { describe, expect, test } from 'vitest'
import { ANN, BEN, catchFieldErrors, catchRejection, UNKNOWN_ID } from '../../../test/harness.ts'
import { createWebhookListener } from '../../../test/webhooks.ts'
import { createCrm } from '../../crm.ts'
import { validationError } from '../../kernel/errors.ts'

/** Ann owns a person, a company, two deals, one of them closed, and a task. Ben owns a deal. */
async function withOwnedRecords() {
  const base = await createWebhookListener()
  const { crm, owner, ann, ben } = base
  const { stages } = await crm.pipelines.create(owner, {
    name: 'Sales',
    stages: [{ name: 'New' }, { name: 'Won', type: 'win' }],
  })
  const byAnn = { owner_email: ANN.email }
  const records = {
    people: await crm.people.create(ann, { full_name: 'Paula', ...byAnn }),
    companies: await crm.companies.create(ann, { full_name: 'Bolt', ...byAnn }),
    deals: await crm.deals.create(ann, { name: 'Chairs', ...byAnn }),
    tasks: await crm.tasks.create(ann, { title: 'Call', ...byAnn }),
  }
  const won = await crm.deals.create(ann, { name: 'Desks', stage_id: stages[1]!.id, ...byAnn })
  const ofBen = await crm.deals.create(ben, { name: 'Lamps', owner_email: BEN.email })
  await base.newEvents()
  return { ...base, records, won, ofBen }
}

/** Continues until nothing is due, and returns the number of steps. */
async function finishRuns(crm: Pick<Awaited<ReturnType<typeof withOwnedRecords>>['crm'], 'runs'>) {
  let steps = 0
  while (await crm.runs.continue()) steps += 1
  return steps
}

describe('a removal with reassign_to', () => {
  test('ends the access at once, and hands over every record with its event', async () => {
    const { crm, clock, owner, ann, ben, records, won, ofBen, newEventNames } = await withOwnedRecords()
    await crm.members.remove(owner, ann.userId, { reassign_to: ben.userId })
    expect(await newEventNames()).toEqual(['member_removed'])
    expect((await crm.members.get(owner, ann.userId)).reassignment).toEqual({
      reassign_to: { id: ben.userId, ...BEN },
      total: null,
      reassigned: 0,
      refused: 0,
      ended_at: null,
    })
    expect((await crm.deals.get(owner, won.id)).owner).toBeNull()

    clock.advance(60)
    await finishRuns(crm)
    for (const [kind, { id }] of Object.entries(records))
      expect((await crm[kind as keyof typeof records].get(owner, id)).owner).toMatchObject(BEN)
    expect(await crm.deals.get(owner, won.id)).toMatchObject({ owner: BEN, updated_at: clock.now() })
    expect(await crm.deals.get(owner, ofBen.id)).toEqual(ofBen)
    expect(await newEventNames()).toEqual([
      'person.updated',
      'company.updated',
      'deal.updated',
      'deal.updated',
      'task.updated',
    ])
    expect((await crm.members.get(owner, ann.userId)).reassignment).toMatchObject({
      total: 5,
      reassigned: 5,
      ended_at: clock.now(),
    })
  })

  test('can be sent for a member who was removed before, and again with another successor', async () => {
    const { crm, owner, admin, ann, ben, won } = await withOwnedRecords()
    await crm.members.remove(owner, ann.userId)
    expect((await crm.members.get(owner, ann.userId)).reassignment).toBeNull()
    await crm.members.remove(owner, ann.userId, { reassign_to: ben.userId })
    await crm.members.remove(admin, ann.userId, { reassign_to: admin.userId })
    await finishRuns(crm)
    expect((await crm.deals.get(owner, won.id)).owner?.id).toBe(admin.userId)
    expect(await catchRejection(crm.members.remove(owner, ann.userId))).toMatchObject({ code: 'not_found' })
  })

  test('goes on with the successor of a successor who is removed meanwhile', async () => {
    const { crm, owner, admin, ann, ben, won, ofBen } = await withOwnedRecords()
    await crm.members.remove(owner, ann.userId, { reassign_to: ben.userId })
    await crm.members.remove(owner, ben.userId, { reassign_to: admin.userId })
    await finishRuns(crm)
    for (const { id } of [won, ofBen]) expect((await crm.deals.get(owner, id)).owner?.id).toBe(admin.userId)
  })

  test('ends where the successor is removed without one, and where the member joins again', async () => {
    const { crm, owner, admin, ann, ben, won, newEventNames } = await withOwnedRecords()
    await crm.members.remove(owner, ann.userId, { reassign_to: ben.userId })
    await crm.members.remove(owner, ben.userId)
    expect((await crm.members.get(owner, ann.userId)).reassignment).toMatchObject({
      reassign_to: null,
      reassigned: 0,
      ended_at: expect.any(String),
    })
    await crm.members.remove(owner, ann.userId, { reassign_to: admin.userId })
    await crm.operator.addMember({ workspace: 'acme', ...ANN, role: 'member' })
    expect(await finishRuns(crm)).toBe(0)
    expect((await crm.deals.get(owner, won.id)).owner).toMatchObject(ANN)
    expect((await crm.members.get(owner, ann.userId)).reassignment).toBeNull()
    expect(await newEventNames()).toEqual(['member_removed', 'member_removed', 'member_joined'])
  })

  test('leaves records that a rule of the embedding application refuses, and counts them', async () => {
    const { ports, owner, ann, ben, won, records } = await withOwnedRecords()
    const refuse = ({ after }: { readonly after: { readonly name: string } }) => {
      if (after.name === 'Chairs') throw validationError({ owner_user_id: 'Chairs stay.' })
    }
    const crm = createCrm(ports, { rules: { deals: [refuse] } })
    await crm.members.remove(owner, ann.userId, { reassign_to: ben.userId })
    await finishRuns(crm)
    expect((await crm.members.get(owner, ann.userId)).reassignment).toMatchObject({
      total: 5,
      reassigned: 4,
      refused: 1,
      ended_at: expect.any(String),
    })
    expect((await crm.deals.get(owner, records.deals.id)).owner).toBeNull()
    expect((await crm.deals.get(owner, won.id)).owner).toMatchObject(BEN)
  })

  test('continues where it stopped, and leaves a record that somebody changed meanwhile', async () => {
    const { crm, owner, admin, ann, ben, newEventNames } = await withOwnedRecords()
    for (let index = 0; index < 12; index += 1)
      await crm.people.create(ann, { full_name: `Person ${index}`, owner_email: ANN.email })
    await newEventNames()
    await crm.members.remove(owner, ann.userId, { reassign_to: ben.userId })
    const allowed = [true, true]
    const stopped = await crm.runs.continue(() => allowed.pop() ?? false)
    expect(stopped).toMatchObject({ total: 17, visited: 8, changed: 8, has_ended: false })
    const rest = (await crm.people.list(owner, { order: 'asc' })).data.filter(({ owner }) => owner === null)
    await crm.people.update(owner, rest[0]!.id, { owner_user_id: admin.userId })
    await crm.people.remove(owner, rest[1]!.id)
    await finishRuns(crm)
    expect((await crm.people.get(owner, rest[0]!.id)).owner?.id).toBe(admin.userId)
    expect((await crm.members.get(owner, ann.userId)).reassignment).toMatchObject({ reassigned: 15 })
    expect((await newEventNames()).filter((name) => name === 'person.updated')).toHaveLength(12)
  })

  test('changes each record once when twenty processes continue at the same time', async () => {
    const { crm, owner, ann, ben, newEventNames } = await withOwnedRecords()
    await crm.members.remove(owner, ann.userId, { reassign_to: ben.userId })
    await Promise.all(Array.from({ length: 20 }, () => finishRuns(crm)))
    expect((await newEventNames()).filter((name) => name.endsWith('.updated'))).toHaveLength(5)
    expect((await crm.members.get(owner, ann.userId)).reassignment).toMatchObject({ total: 5, reassigned: 5 })
  })
})

describe('reassign_to is refused', () => {
  test.each([
    ['for no member', () => UNKNOWN_ID, 'Member not found.'],
    ['for a member of another workspace', ({ otherOwner }) => otherOwner.userId, 'Member not found.'],
    ['for a removed member', ({ ben }) => ben.userId, 'Member not found.'],
    ['for the member itself', ({ ann }) => ann.userId, 'Must be another member.'],
    ['for text that is no id', () => 'ben', 'Must be a UUID.'],
  ] as const satisfies readonly [
    string,
    (base: Awaited<ReturnType<typeof withOwnedRecords>>) => string,
    string,
  ][])('%s, and nobody is removed', async (_, successorOf, rule) => {
    const base = await withOwnedRecords()
    const { crm, owner, ann, ben } = base
    await crm.members.remove(owner, ben.userId)
    const removal = crm.members.remove(owner, ann.userId, { reassign_to: successorOf(base) })
    expect(await catchFieldErrors(removal)).toEqual({ reassign_to: rule })
    expect((await crm.members.get(owner, ann.userId)).removed_at).toBeNull()
  })

  test('for a member without the role, who may leave but not hand over', async () => {
    const { crm, ann, ben } = await withOwnedRecords()
    expect(
      await catchRejection(crm.members.remove(ann, ann.userId, { reassign_to: ben.userId })),
    ).toMatchObject({
      code: 'forbidden',
      fields: { reassign_to: 'Only an owner or admin may hand over the records of a member.' },
    })
  })

  test('for the operator too', async () => {
    const { crm } = await withOwnedRecords()
    const remove = (reassign_to: string) =>
      crm.operator.removeMember({ workspace: 'acme', email: ANN.email, reassign_to })
    expect(await catchFieldErrors(remove(ANN.email))).toEqual({ reassign_to: 'Must be another member.' })
    expect(await catchFieldErrors(remove('nobody@acme.example'))).toEqual({
      reassign_to: 'Member not found.',
    })
  })
})

test('the operator hands over by e-mail', async () => {
  const { crm, owner, won } = await withOwnedRecords()
  await crm.operator.removeMember({ workspace: 'acme', email: ANN.email, reassign_to: BEN.email })
  await finishRuns(crm)
  expect((await crm.deals.get(owner, won.id)).owner).toMatchObject(BEN)
})
