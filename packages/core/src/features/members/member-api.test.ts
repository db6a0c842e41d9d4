import { expect, test } from 'vitest'
import { ANN, BEN, catchFieldErrors, catchRejection, createTestCrm, OWNER } from '../../../test/harness.ts'

const ADA = { name: 'Ada Admin', email: 'ada@acme.example' }

test('the members of a workspace are listed with their roles', async () => {
  const { crm, owner, admin, ann, ben } = await createTestCrm()
  expect(await crm.members.list(owner, { order: 'asc' })).toEqual({
    data: [
      { id: owner.userId, ...OWNER, role: 'owner' },
      { id: admin.userId, ...ADA, role: 'admin' },
      { id: ann.userId, ...ANN, role: 'member' },
      { id: ben.userId, ...BEN, role: 'member' },
    ],
    meta: { total: 4, page: 1, per_page: 50, has_more: false },
  })
  expect((await crm.members.list(ann, { per_page: 1 })).data).toEqual([
    { id: ben.userId, ...BEN, role: 'member' },
  ])
})

test('a removed member is not listed', async () => {
  const { crm, owner } = await createTestCrm()
  await crm.operator.removeMember({ workspace: 'acme', email: ANN.email })
  const { data, meta } = await crm.members.list(owner)
  expect(data.map(({ email }) => email)).toEqual([BEN.email, ADA.email, OWNER.email])
  expect(meta.total).toBe(3)
})

test('members are listed only in the order of joining, and only with a scope', async () => {
  const { crm, owner } = await createTestCrm()
  expect(await catchFieldErrors(crm.members.list(owner, { order_by: 'name' as never, per_page: 0 }))).toEqual(
    {
      order_by: 'Must be one of: created_at.',
      per_page: 'Must be between 1 and 100.',
    },
  )
  expect(await catchRejection(crm.members.list({ ...owner, scopes: new Set(['people:read']) }))).toEqual({
    code: 'insufficient_scope',
    message: "This endpoint requires the 'members:read' scope.",
  })
})
