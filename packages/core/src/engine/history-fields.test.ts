import { expect, test } from 'vitest'
import { catchRejection, createTestCrm } from '../../test/harness.ts'
import type { Actor } from '../kernel/actor.ts'

const PAST = '2024-05-06T07:08:09.000Z'
const LATER = '2024-06-01T00:00:00.000Z'

const without = (actor: Actor, scope: string): Actor => ({
  ...actor,
  scopes: new Set([...actor.scopes].filter((each) => each !== scope)),
})

test('an owner or admin with the scope sets when a record was created', async () => {
  const { crm, owner, admin, ann } = await createTestCrm()
  const input = { full_name: 'Ana', created_at: PAST } as { full_name: string }
  expect(await crm.people.create(owner, input)).toMatchObject({ created_at: PAST })
  expect(await crm.people.create(admin, input)).toMatchObject({ created_at: PAST })
  const unknown = { code: 'validation_error', fields: { created_at: 'Unknown field.' } }
  expect(await catchRejection(crm.people.create(ann, input))).toMatchObject(unknown)
  expect(await catchRejection(crm.people.create(without(owner, 'imports:manage'), input))).toMatchObject(
    unknown,
  )
  const future = { full_name: 'Ana', created_at: '2026-03-01T12:00:00.001Z' }
  expect(await catchRejection(crm.people.create(owner, future))).toMatchObject({
    fields: { created_at: 'Must not be in the future.' },
  })
  const text = { full_name: 7, created_at: 'yesterday' } as never
  expect(await catchRejection(crm.people.create(owner, text))).toMatchObject({
    fields: {
      full_name: 'Must be a string.',
      created_at: 'Must be an ISO 8601 date-time with a time zone, such as 2026-03-01T12:00:00Z.',
    },
  })
})

test('a deal keeps when it was closed and came into its stage', async () => {
  const { crm, owner } = await createTestCrm()
  const { stages } = await crm.pipelines.create(owner, {
    name: 'Sales',
    stages: [{ name: 'Open' }, { name: 'Won', type: 'win' }],
  })
  const input = { name: 'Licences', created_at: PAST, closed_at: LATER, stage_entered_at: LATER }
  const deal = await crm.deals.create(owner, { ...input, stage_id: stages[1]!.id } as { name: string })
  expect(deal).toMatchObject({ created_at: PAST, closed_at: LATER })
  const { data } = await crm.deals.list(owner, { include: 'stage_entered_at' })
  expect(data).toMatchObject([{ stage_entered_at: LATER }])
  expect(await catchRejection(crm.deals.create(owner, input))).toMatchObject({
    fields: { closed_at: 'Is for deals in a win or lost stage.' },
  })
  const early = { ...input, closed_at: '2024-05-06T07:08:08.000Z', stage_id: stages[1]!.id }
  expect(await catchRejection(crm.deals.create(owner, early))).toMatchObject({
    fields: { closed_at: 'Must not be before created_at.' },
  })
  expect((await crm.deals.list(owner, {})).meta.total).toBe(1)
})
