import type { Transaction } from '../../ports/storage.ts'
import type { User } from '../../schema/user.ts'
import { addWorkspaceToUser, isUnverifiedElsewhere } from '../members/membership.ts'
import { archiveError } from './archive-error.ts'
import { type ArchivedUser, mapMemberIds, type Row } from './archived-collections.ts'

interface Account {
  readonly archived: ArchivedUser
  readonly user: User
  readonly isNew: boolean
}

/** Users that one query looks for. */
const BATCH_SIZE = 500

/**
 * The accounts of the members of an archive: those with the same e-mail addresses, and new ones without a password. Nobody
 * has shown here that an address is theirs: the first mailed link verifies it.
 */
export class ArchivedAccounts {
  readonly #tx: Transaction
  readonly #workspaceId: string
  readonly #newId: () => string
  readonly #byArchivedId = new Map<string, Account>()
  readonly #byStoredId = new Map<string, Account>()

  constructor(tx: Transaction, workspaceId: string, newId: () => string) {
    this.#tx = tx
    this.#workspaceId = workspaceId
    this.#newId = newId
  }

  /** Finds the accounts. Writes nothing: an account in use would be locked until the end of the import. */
  async add(users: readonly ArchivedUser[]): Promise<void> {
    for (let start = 0; start < users.length; start += BATCH_SIZE)
      await this.#addBatch(users.slice(start, start + BATCH_SIZE))
  }

  /** @throws CrmError `bad_request` for a record of a member without an account */
  toStored(collection: string, record: Row): Row {
    return mapMemberIds(collection, record, (id) => {
      const account = this.#byArchivedId.get(id)
      if (!account) throw archiveError(`has no account of the member ${id}.`)
      return account.user.id
    })
  }

  /** Reverses `toStored`. An account that was here before keeps its name. */
  toArchived(collection: string, record: Row): Row {
    const account = collection === 'users' ? this.#byStoredId.get(record.id) : undefined
    if (!account) return mapMemberIds(collection, record, (id) => this.#byStoredId.get(id)?.archived.id ?? id)
    const { archived, isNew } = account
    const isSameAddress = record['email'] === archived.email.toLowerCase()
    const email = isSameAddress ? archived.email : record['email']
    return { ...(isNew ? record : archived), id: archived.id, email }
  }

  /** Inserts the new accounts, and adds the workspace to the others. */
  async save(): Promise<void> {
    const accounts = [...this.#byStoredId.values()]
    await this.#tx.users.insertMany(accounts.filter(({ isNew }) => isNew).map(({ user }) => user))
    for (const { user, isNew } of accounts)
      if (!isNew) await addWorkspaceToUser(this.#tx, user.id, this.#workspaceId)
  }

  async #addBatch(users: readonly ArchivedUser[]): Promise<void> {
    const emails = users.map(({ email }) => email.toLowerCase())
    const [sameEmail, sameId] = await Promise.all([
      this.#tx.users.find([{ field: 'email', oneOf: emails }]),
      this.#tx.users.getMany(users.map(({ id }) => id)),
    ])
    const byEmail = new Map(sameEmail.map((user) => [user.email, user]))
    const takenIds = new Set(sameId.map(({ id }) => id))
    for (const archived of users) {
      const user = byEmail.get(archived.email.toLowerCase())
      if (user && isUnverifiedElsewhere(user, this.#workspaceId))
        throw archiveError(
          `has the member ${user.email}, whose account here is not verified. Its user must request a new password by e-mail first.`,
        )
      const id = takenIds.has(archived.id) ? this.#newId() : archived.id
      const account = { archived, user: user ?? this.#createUser(archived, id), isNew: !user }
      if (this.#byArchivedId.has(archived.id) || this.#byStoredId.has(account.user.id))
        throw archiveError(`has two members with the account ${archived.email}.`)
      this.#byArchivedId.set(archived.id, account)
      this.#byStoredId.set(account.user.id, account)
    }
  }

  #createUser({ email, name, created_at, updated_at }: ArchivedUser, id: string): User {
    return {
      id,
      email: email.toLowerCase(),
      name,
      password_hash: null,
      email_verified_at: null,
      workspace_ids: [this.#workspaceId],
      created_at,
      updated_at,
    }
  }
}
