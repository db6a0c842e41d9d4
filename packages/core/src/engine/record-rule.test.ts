import { expect, test } from 'vitest'
import { ANN, catchRejection, createTestCrm, OWNER } from '../../test/harness.ts'
import { createCrm } from '../crm.ts'
import { CrmError, validationError } from '../kernel/errors.ts'
import type { Deal } from '../schema/deal.ts'
import type { Person } from '../schema/person.ts'
import type { Task } from '../schema/task.ts'
import type { RecordRule } from './extension.ts'

const NEEDS_APPROVAL = 'Somebody other than the owner must win a deal of this amount.'

/** A deal above 10 000.00 is won by somebody other than its owner. */
const requireSecondApprover: RecordRule<Deal> = async ({ actor, before, after }, { stores }) => {
  const owner = (before ?? after).owner_user_id
  if (after.amount <= 1_000_000 || owner !== actor.userId) return
  const stage = await stores.stages.get(after.stage_id)
  if (stage?.type === 'win') throw new CrmError('forbidden', NEEDS_APPROVAL)
}

async function openSales() {
  const base = await createTestCrm()
  const crm = createCrm(base.ports, { rules: { deals: [requireSecondApprover] } })
  const { stages } = await crm.pipelines.create(base.owner, {
    name: 'Sales',
    stages: [{ name: 'New' }, { name: 'Won', type: 'win' }],
  })
  return { ...base, crm, won: stages[1]!.id }
}

test('a rule refuses an update, and nothing of it is stored', async () => {
  const { crm, owner, won } = await openSales()
  const deal = await crm.deals.create(owner, { name: 'Chairs', amount: 1_000_001, owner_email: OWNER.email })
  const rejection = await catchRejection(
    crm.deals.update(owner, deal.id, { name: 'Won chairs', stage_id: won }),
  )
  expect(rejection).toMatchObject({ code: 'forbidden', message: NEEDS_APPROVAL })
  const handover = crm.deals.update(owner, deal.id, { owner_email: ANN.email, stage_id: won })
  expect(await catchRejection(handover)).toMatchObject({ code: 'forbidden' })
  expect(await crm.deals.get(owner, deal.id)).toMatchObject({ name: 'Chairs', stage: { name: 'New' } })
})

test('a rule refuses a creation, and nothing of it is stored', async () => {
  const { crm, owner, won } = await openSales()
  const input = { name: 'Chairs', amount: 1_000_001, owner_email: OWNER.email, stage_id: won }
  expect(await catchRejection(crm.deals.create(owner, input))).toMatchObject({ message: NEEDS_APPROVAL })
  expect(await catchRejection(crm.deals.createIdempotent(owner, 'k1', input))).toMatchObject({
    code: 'forbidden',
  })
  expect((await crm.deals.list(owner)).meta.total).toBe(0)
})

test('a rule lets other changes through', async () => {
  const { crm, owner, admin, won } = await openSales()
  const large = await crm.deals.create(owner, { name: 'Chairs', amount: 1_000_001, owner_email: OWNER.email })
  expect(await crm.deals.update(admin, large.id, { stage_id: won })).toMatchObject({ stage: { name: 'Won' } })
  const small = await crm.deals.create(owner, { name: 'Stools', amount: 1_000_000, stage_id: won })
  expect(small).toMatchObject({ stage: { name: 'Won' } })
})

test('a rule is not asked about an update that changes nothing', async () => {
  const { ports, owner } = await createTestCrm()
  const seen: string[] = []
  const noteTitle: RecordRule<Task> = ({ before, after }) =>
    void seen.push(`${before?.title} → ${after.title}`)
  const crm = createCrm(ports, { rules: { tasks: [noteTitle] } })
  const task = await crm.tasks.create(owner, { title: 'Call' })
  await crm.tasks.update(owner, task.id, { title: 'Call' })
  await crm.tasks.update(owner, task.id, { title: 'Write' })
  expect(seen).toEqual(['undefined → Call', 'Call → Write'])
})

test('a rule reports the field that breaks it', async () => {
  const { ports, owner } = await createTestCrm()
  const requireSurname: RecordRule<Person> = ({ after }) => {
    if (!after.full_name.includes(' ')) throw validationError({ full_name: 'Must have a surname.' })
  }
  const crm = createCrm(ports, { rules: { people: [requireSurname] } })
  expect(await catchRejection(crm.people.create(owner, { full_name: 'Ana' }))).toMatchObject({
    code: 'validation_error',
    fields: { full_name: 'Must have a surname.' },
  })
})
