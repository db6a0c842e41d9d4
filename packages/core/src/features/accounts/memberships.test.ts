import { expect, test } from 'vitest'
import { ANN, createTestCrm, UNKNOWN_ID } from '../../../test/harness.ts'
import { listMemberships } from './memberships.ts'

test('a user has the workspaces it belongs to now, in the order of joining', async () => {
  const { crm, storage, clock, ann, otherOwner } = await createTestCrm()
  const { operator } = crm
  const slugs = async (userId: string) =>
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
  expect(await slugs(ann.userId)).toEqual(both)
  await operator.removeMember({ workspace: 'acme', email: ANN.email })
  expect(await slugs(ann.userId)).toEqual([['other', 'admin']])
  clock.advance(60)
  await operator.addMember({ workspace: 'acme', ...ANN, role: 'member' })
  expect(await slugs(ann.userId)).toEqual(both.toReversed())
  expect(await slugs(otherOwner.userId)).toEqual([['other', 'owner']])
  expect(await slugs(UNKNOWN_ID)).toEqual([])
})
