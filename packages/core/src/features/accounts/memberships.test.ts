import { expect, test } from 'vitest'
import { ANN, createTestCrm, UNKNOWN_ID } from '../../../test/harness.ts'
import { listMemberships } from './memberships.ts'

test('listMemberships returns the current memberships in the order of joining', async () => {
  const { crm, storage, clock, ann, otherOwner } = await createTestCrm()
  const { operator } = crm
  const listSlugs = async (userId: string) =>
    (await storage.read((tx) => listMemberships(tx, userId))).map(({ slug, role }) => [slug, role])
  expect(await storage.read((tx) => listMemberships(tx, ann.userId))).toEqual([
    { id: ann.workspaceId, name: 'Acme', slug: 'acme', role: 'member' },
  ])
  clock.advance(60)
  await operator.addMember({ workspace: 'other', ...ANN, role: 'admin' })
  const both = [
    ['acme', 'member'],
    ['other', 'admin'],
  ]
  expect(await listSlugs(ann.userId)).toEqual(both)
  await operator.removeMember({ workspace: 'acme', email: ANN.email })
  expect(await listSlugs(ann.userId)).toEqual([['other', 'admin']])
  clock.advance(60)
  await operator.addMember({ workspace: 'acme', ...ANN, role: 'member' })
  expect(await listSlugs(ann.userId)).toEqual(both.toReversed())
  expect(await listSlugs(otherOwner.userId)).toEqual([['other', 'owner']])
  expect(await listSlugs(UNKNOWN_ID)).toEqual([])
})
