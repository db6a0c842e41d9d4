import * as v from 'valibot'
import { validate } from '../../engine/validate.ts'
import { email, oneOf } from '../../kernel/field-schemas.ts'
import { addSeconds, DAY } from '../../kernel/instant.ts'
import { object } from '../../kernel/object-schemas.ts'
import type { Ports } from '../../ports/index.ts'
import type { Transaction } from '../../ports/storage.ts'
import { CURRENCIES } from '../../schema/currency.ts'
import type { SessionToken } from '../accounts/account.ts'
import { checkNewPassword } from '../accounts/new-password.ts'
import { createLink, findLinks, findValidLink } from '../accounts/one-time-links.ts'
import { openSession } from '../accounts/sessions.ts'
import { password, userName } from '../accounts/user.ts'
import { countryCode, localeName, slug, timeZoneName, workspaceName } from '../workspaces/workspace.ts'
import { insertWorkspace } from './insert-workspace.ts'

const setupInput = object({
  name: workspaceName,
  slug,
  country: v.optional(v.nullable(countryCode)),
  currency: oneOf(CURRENCIES),
  locale: localeName,
  time_zone: timeZoneName,
  owner_name: userName,
  owner_email: email,
  owner_password: password,
})

/** Input of `crm.setup.run`. */
export type SetupInput = v.InferInput<typeof setupInput>

/** The link has no subject: a service is set up once. */
const SUBJECT = { purpose: 'setup', subject_id: '00000000-0000-0000-0000-000000000000' } as const
const LIFETIME_SECONDS = 30 * DAY

/** The first workspace of a service, made by whoever has the link that the start of the service shows. */
export interface SetupApi {
  /** True while there is no workspace. */
  isNeeded(): Promise<boolean>
  /**
   * Returns the token of a new link, valid for thirty days, in place of an earlier one. Returns undefined if a workspace
   * exists.
   */
  createLink(): Promise<string | undefined>
  /** Returns false if the link is unknown, replaced or expired, or a workspace exists. Does not use up the link. */
  isLinkValid(token: string): Promise<boolean>
  /**
   * Makes the workspace with its owner, and signs the owner in. Of concurrent calls one succeeds. Returns undefined if
   * the link is not valid, or a workspace exists.
   * @param token undefined for a caller who needs no link, which the host decides
   * @throws CrmError `validation_error`; the link stays valid
   */
  run(
    token: string | undefined,
    input: SetupInput,
  ): Promise<{ readonly session: SessionToken; readonly slug: string } | undefined>
}

export function setupApi(ports: Ports): SetupApi {
  const { storage, now, passwords } = ports

  const createSetupLink = () =>
    storage.transact(async (tx) => {
      if (!(await hasNoWorkspace(tx))) return undefined
      const at = now()
      return createLink(tx, ports, SUBJECT, { at, expires_at: addSeconds(at, LIFETIME_SECONDS) })
    })

  return {
    isNeeded: () => storage.read(hasNoWorkspace),
    createLink: createSetupLink,
    isLinkValid: (token) =>
      storage.read(
        async (tx) =>
          (await hasNoWorkspace(tx)) &&
          (await findValidLink(tx, ports, { purpose: SUBJECT.purpose, token })) !== undefined,
      ),
    async run(token, input) {
      const fields = validate(setupInput, input)
      await checkNewPassword(passwords, 'owner_password', fields.owner_password, fields.owner_email)
      const password_hash = await passwords.hash(fields.owner_password)
      // The host may not have made a link, whose row is what concurrent calls lock.
      if (token === undefined && (await storage.read((tx) => findLinks(tx, SUBJECT))).length === 0)
        await createSetupLink()
      return storage.transact(async (tx) => {
        const at = now()
        if (!(await useLink(tx, ports, token)) || !(await hasNoWorkspace(tx))) return undefined
        const { owner, workspace } = await insertWorkspace(tx, ports, { ...fields, password_hash }, at)
        return { session: await openSession(tx, ports, owner.id, at), slug: workspace.slug }
      })
    },
  }
}

async function hasNoWorkspace(tx: Transaction): Promise<boolean> {
  const first = { page: 1, per_page: 1, order_by: 'created_at', order: 'asc', where: [] } as const
  return (await tx.workspaces.list(first)).total === 0
}

/**
 * Deletes all links, since two processes may have made one each. Their locks, in the order of ids, serialize concurrent
 * calls, also of callers who need no link.
 */
async function useLink(tx: Transaction, ports: Ports, token: string | undefined): Promise<boolean> {
  const link =
    token === undefined ? undefined : await findValidLink(tx, ports, { purpose: SUBJECT.purpose, token })
  if (token !== undefined && !link) return false
  const ids = (await findLinks(tx, SUBJECT)).map(({ id }) => id).toSorted()
  const lockedIds = new Set<string>()
  for (const id of ids) if (await tx.one_time_links.getForUpdate(id)) lockedIds.add(id)
  for (const id of lockedIds) await tx.one_time_links.hardDelete(id)
  return link ? lockedIds.has(link.id) : lockedIds.size > 0
}
