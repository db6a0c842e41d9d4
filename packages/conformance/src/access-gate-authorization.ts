import { expect } from 'vitest'
import type { AccessGateContext } from './access-gate-context.ts'
import { buildRateLimit } from './access-gate-rate-limits.ts'
import { type Case, type Group, newId } from './case.ts'
import { getCollection, type Row, write } from './collections.ts'
import { insertRow, instant } from './sample-rows.ts'

const [GRANTS, MEMBERS] = [getCollection('grants'), getCollection('members')]

interface AuthorizedGrant {
  readonly member: Row
  readonly grant: Row
  readonly grantKey: { readonly workspace_id: string; readonly id: string }
}

export const authorization: Group<AccessGateContext> = {
  name: 'admit',
  cases: [
    {
      name: 'a live grant lets in its user, through its app, and counts the call in the window count knows',
      async run(context) {
        const { grant, grantKey } = await insertGrant(context)
        const counter = buildRateLimit()
        const answer = await context.gate.authorize(grantKey, counter)
        const { user_id, client_id } = grant
        expect(answer?.grant, 'a live grant is admitted').toEqual({ user_id, client_id, role: 'member' })
        expect(answer?.rateLimit, 'and counted').toMatchObject({ used: 1 })
        // A second may have passed.
        expect(await context.gate.count(counter), 'count goes on in that window').toMatchObject({
          used: 2,
          resetsAt: answer?.rateLimit?.resetsAt,
        })
        expect(
          (await context.gate.authorize(grantKey, counter))?.rateLimit,
          'and so does admit',
        ).toMatchObject({
          used: 3,
        })
      },
    },
    {
      name: 'without a counter there is no window',
      async run(context) {
        const { grant, grantKey } = await insertGrant(context)
        const { user_id, client_id } = grant
        expect(await context.gate.authorize(grantKey, undefined)).toEqual({
          grant: { user_id, client_id, role: 'member' },
        })
      },
    },
    {
      name: 'a grant is admitted whether or not its app is known and its refresh token lives',
      async run(context) {
        const { grantKey } = await insertGrant(context, {
          client_id: newId(),
          refresh_hash: null,
          refresh_expires_at: instant(-1),
        })
        expect(await context.gate.authorize(grantKey, undefined)).toMatchObject({ grant: { role: 'member' } })
      },
    },
    {
      name: 'the role is the one the member has now',
      async run(context) {
        const { member, grantKey } = await insertGrant(context)
        expect(
          (await context.gate.authorize(grantKey, undefined))?.grant.role,
          'a live grant is admitted',
        ).toBe('member')
        await write(context, MEMBERS, (store) => store.update({ ...member, role: 'admin' }))
        expect((await context.gate.authorize(grantKey, undefined))?.grant.role).toBe('admin')
      },
    },
    {
      name: 'over the limit the call is admitted and counted all the same: refusing it is up to the caller',
      async run(context) {
        const { grantKey } = await insertGrant(context)
        const counter = buildRateLimit({ limit: 1 })
        await context.gate.count(counter)
        expect(await context.gate.authorize(grantKey, counter)).toMatchObject({
          grant: { role: 'member' },
          rateLimit: { used: 2 },
        })
      },
    },
    {
      name: 'fifty admitted at once are counted one to fifty, each once',
      async run(context) {
        const { grantKey } = await insertGrant(context)
        const counter = buildRateLimit()
        const answers = await Promise.all(
          Array.from({ length: 50 }, () => context.gate.authorize(grantKey, counter)),
        )
        const used = answers.map((answer) => answer?.rateLimit?.used ?? 0).sort((a, b) => a - b)
        expect(used).toEqual(Array.from({ length: 50 }, (_, nth) => nth + 1))
      },
    },
    rejectsGrant('a grant that was revoked', (context, { grant }) =>
      write(context, GRANTS, (store) => store.update({ ...grant, revoked_at: instant(9) })),
    ),
    rejectsGrant('a deleted grant', (context, { grant }) =>
      write(context, GRANTS, (store) => store.softDelete(grant.id, instant(9))),
    ),
    rejectsGrant('a grant whose member was removed', (context, { member }) =>
      write(context, MEMBERS, (store) => store.update({ ...member, removed_at: instant(9) })),
    ),
    rejectsGrant('a grant whose member is deleted', (context, { member }) =>
      write(context, MEMBERS, (store) => store.softDelete(member.id, instant(9))),
    ),
    {
      name: 'an unknown grant, or one of another workspace, is not admitted and not counted',
      async run(context) {
        const { grantKey } = await insertGrant(context)
        const counter = buildRateLimit()
        expect(await context.gate.authorize(grantKey, undefined), 'a live grant is admitted').toBeDefined()
        expect(
          await context.gate.authorize({ ...grantKey, id: newId() }, counter),
          'an unknown grant',
        ).toBeUndefined()
        expect(
          await context.gate.authorize({ ...grantKey, workspace_id: context.otherWorkspace }, counter),
          'in another workspace',
        ).toBeUndefined()
        expect((await context.gate.count(counter)).used, 'counted').toBe(1)
      },
    },
    {
      name: 'a member removed from one workspace is still admitted to another',
      async run(context) {
        const { member, grantKey } = await insertGrant(context)
        const there = { storage: context.storage, workspace: context.otherWorkspace }
        await insertRow(there, MEMBERS, { id: member.id, removed_at: instant(9) })
        expect(await context.gate.authorize(grantKey, undefined)).toMatchObject({
          grant: { user_id: member.id },
        })
      },
    },
  ],
}

/** Admits the grant once, so that a gate that remembers is caught, and then no more. */
function rejectsGrant(
  grantKey: string,
  end: (context: AccessGateContext, admitted: AuthorizedGrant) => Promise<unknown>,
): Case<AccessGateContext> {
  return {
    name: `${grantKey} is not admitted and not counted, from the next call on`,
    async run(context) {
      const admitted = await insertGrant(context)
      const counter = buildRateLimit()
      expect(
        await context.gate.authorize(admitted.grantKey, counter),
        'a live grant is admitted',
      ).toMatchObject({ rateLimit: { used: 1 } })
      await end(context, admitted)
      expect(await context.gate.authorize(admitted.grantKey, counter), 'with a counter').toBeUndefined()
      expect(await context.gate.authorize(admitted.grantKey, undefined), 'without a counter').toBeUndefined()
      expect((await context.gate.count(counter)).used, 'counted').toBe(2)
    },
  }
}

async function insertGrant(context: AccessGateContext, changes: object = {}): Promise<AuthorizedGrant> {
  const member = await insertRow(context, MEMBERS, { role: 'member', removed_at: null })
  const grant = await insertRow(context, GRANTS, { user_id: member.id, revoked_at: null, ...changes })
  return { member, grant, grantKey: { workspace_id: context.workspace, id: grant.id } }
}
