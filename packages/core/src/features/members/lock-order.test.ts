import { describe, expect, test } from 'vitest'
import { ORIGIN, readMailedToken, signInTestUser } from '../../../test/accounts.ts'
import { catchRejection, createTestCrm, OWNER, UNKNOWN_ID } from '../../../test/harness.ts'
import type { RecordBase } from '../../kernel/record.ts'
import type { RecordStore } from '../../kernel/record-store.ts'
import { memoryStorage } from '../../memory/index.ts'
import type { Storage } from '../../ports/storage.ts'

/** A storage that notes which collections a transaction holds records of, in the order of the first of each. */
function noting() {
  const storage = memoryStorage()
  const held = new Set<string>()
  const noted = <R extends RecordBase>(name: string, store: RecordStore<R>): RecordStore<R> => ({
    ...store,
    getForUpdate(id) {
      held.add(name)
      return store.getForUpdate(id)
    },
    hardDelete(id) {
      held.add(name)
      return store.hardDelete(id)
    },
  })
  const transact: Storage['transact'] = (work) =>
    storage.transact((tx) =>
      work({
        ...tx,
        users: noted('users', tx.users),
        workspaces: noted('workspaces', tx.workspaces),
        invitations: noted('invitations', tx.invitations),
        workspace(id) {
          const stores = tx.workspace(id)
          return { ...stores, members: noted('members', stores.members) }
        },
      }),
    )
  return { storage: { ...storage, transact }, held }
}

/** An admin who has invited somebody. */
async function withInvitation() {
  const { storage, held } = noting()
  const base = await createTestCrm({ storage })
  const { visitor: ada } = await signInTestUser(base, 'ada@acme.example')
  const { visitor: olga } = await signInTestUser(base, OWNER.email)
  await base.crm.accounts.invite(ada, 'acme', { email: 'cleo@new.example', role: 'member' }, ORIGIN)
  const link = await readMailedToken(base)
  held.clear()
  return { ...base, accounts: base.crm.accounts, olga, link, held: () => [...held] }
}

// Two that hold the same records in another order each would wait for one another.
describe('the user is held before the member', () => {
  test('when an invitation is accepted', async () => {
    const { accounts, link, held } = await withInvitation()
    await accounts.acceptInvitation(link, { name: 'Cleo', password: 'long enough' })
    expect(held()).toEqual(['users', 'invitations', 'members'])
  })

  test('when the operator removes a member', async () => {
    const { crm, held } = await withInvitation()
    await crm.operator.removeMember({ workspace: 'acme', email: 'ada@acme.example' })
    expect(held()).toEqual(['workspaces', 'users', 'members', 'invitations'])
  })

  test('when the team removes one', async () => {
    const { accounts, admin, olga, held } = await withInvitation()
    await accounts.removeMember(olga, 'acme', admin.userId.toUpperCase())
    expect(held()).toEqual(['workspaces', 'users', 'members', 'invitations'])
  })

  test('and who is nobody is no member', async () => {
    const { accounts, otherOwner, olga } = await withInvitation()
    for (const id of [UNKNOWN_ID, otherOwner.userId, 'x', '']) {
      expect(await catchRejection(accounts.removeMember(olga, 'acme', id))).toEqual({
        code: 'not_found',
        message: 'Member not found.',
      })
    }
  })
})
