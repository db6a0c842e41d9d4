import { describe, expect, test } from 'vitest'
import { ORIGIN, readMailedToken, signInTestUser } from '../../../test/accounts.ts'
import { catchRejection, createTestCrm, OWNER, UNKNOWN_ID } from '../../../test/harness.ts'
import type { RecordBase } from '../../kernel/record.ts'
import type { RecordStore } from '../../kernel/record-store.ts'
import { memoryStorage } from '../../memory/index.ts'
import type { Storage } from '../../ports/storage.ts'

/** Creates a storage that records which collections a transaction locks, in the order of the first lock. */
function recordLocks() {
  const storage = memoryStorage()
  const lockedCollections = new Set<string>()
  const recordingStore = <R extends RecordBase>(name: string, store: RecordStore<R>): RecordStore<R> => ({
    ...store,
    getForUpdate(id) {
      lockedCollections.add(name)
      return store.getForUpdate(id)
    },
    hardDelete(id) {
      lockedCollections.add(name)
      return store.hardDelete(id)
    },
  })
  const transact: Storage['transact'] = (work) =>
    storage.transact((tx) =>
      work({
        ...tx,
        users: recordingStore('users', tx.users),
        workspaces: recordingStore('workspaces', tx.workspaces),
        invitations: recordingStore('invitations', tx.invitations),
        workspace(id) {
          const stores = tx.workspace(id)
          return { ...stores, members: recordingStore('members', stores.members) }
        },
      }),
    )
  return { storage: { ...storage, transact }, lockedCollections }
}

/** Sets up an admin with an open invitation. */
async function withInvitation() {
  const { storage, lockedCollections } = recordLocks()
  const base = await createTestCrm({ storage })
  const { userSession: ada } = await signInTestUser(base, 'ada@acme.example')
  const { userSession: olga } = await signInTestUser(base, OWNER.email)
  await base.crm.accounts.invite(ada, 'acme', { email: 'cleo@new.example', role: 'member' }, ORIGIN)
  const link = await readMailedToken(base)
  lockedCollections.clear()
  return { ...base, accounts: base.crm.accounts, olga, link, listLocks: () => [...lockedCollections] }
}

// Transactions that lock the same records in different orders can deadlock.
describe('the user is locked before the member', () => {
  test('when an invitation is accepted', async () => {
    const { accounts, link, listLocks } = await withInvitation()
    await accounts.acceptInvitation(link, { name: 'Cleo', password: 'long enough' })
    expect(listLocks()).toEqual(['users', 'invitations', 'members'])
  })

  test('when the operator removes a member', async () => {
    const { crm, listLocks } = await withInvitation()
    await crm.operator.removeMember({ workspace: 'acme', email: 'ada@acme.example' })
    expect(listLocks()).toEqual(['workspaces', 'users', 'members', 'invitations'])
  })

  test('when a manager removes a member', async () => {
    const { accounts, admin, olga, listLocks } = await withInvitation()
    await accounts.removeMember(olga, 'acme', admin.userId.toUpperCase())
    expect(listLocks()).toEqual(['workspaces', 'users', 'members', 'invitations'])
  })

  test('and an unknown user is not found', async () => {
    const { accounts, otherOwner, olga } = await withInvitation()
    for (const id of [UNKNOWN_ID, otherOwner.userId, 'x', '']) {
      expect(await catchRejection(accounts.removeMember(olga, 'acme', id))).toEqual({
        code: 'not_found',
        message: 'Member not found.',
      })
    }
  })
})
