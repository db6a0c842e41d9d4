import { expect } from 'vitest'
import type { AccessGateContext } from './access-gate-context.ts'
import { buildRateLimit } from './access-gate-rate-limits.ts'
import { type Case, type Group, newId } from './case.ts'
import { getCollection, type Row, write } from './collections.ts'
import { insertRow, instant } from './sample-rows.ts'

const [GRANTS, MEMBERS] = [getCollection('grants'), getCollection('members')]

interface SampleGrant {
  readonly member: Row
  readonly grant: Row
  readonly grantKey: { readonly workspace_id: string; readonly id: string }
}

export const authorization: Group<AccessGateContext> = {
  name: 'authorize',
  cases: [
    {
      name: 'returns the user, app and role of a live grant, and counts the call in the window of count',
      async run(context) {
        const { grant, grantKey } = await insertGrant(context)
        const rateLimit = buildRateLimit()
        const result = await context.gate.authorize(grantKey, rateLimit)
        const { user_id, client_id } = grant
        expect(result?.grant, 'a live grant').toEqual({ user_id, client_id, role: 'member' })
        expect(result?.rateLimit, 'its status').toMatchObject({ used: 1 })
        // `retryAfterSeconds` is not compared, because a second may have passed.
        expect(await context.gate.count(rateLimit), 'count in the same window').toMatchObject({
          used: 2,
          resetsAt: result?.rateLimit?.resetsAt,
        })
        expect(
          (await context.gate.authorize(grantKey, rateLimit))?.rateLimit,
          'authorize in the same window',
        ).toMatchObject({
          used: 3,
        })
      },
    },
    {
      name: 'returns no rate limit status without a rate limit',
      async run(context) {
        const { grant, grantKey } = await insertGrant(context)
        const { user_id, client_id } = grant
        expect(await context.gate.authorize(grantKey, undefined)).toEqual({
          grant: { user_id, client_id, role: 'member' },
        })
      },
    },
    {
      name: 'accepts a grant with an unknown app and an expired refresh token',
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
      name: 'returns the current role of the member',
      async run(context) {
        const { member, grantKey } = await insertGrant(context)
        expect((await context.gate.authorize(grantKey, undefined))?.grant.role, 'a live grant').toBe('member')
        await write(context, MEMBERS, (store) => store.update({ ...member, role: 'admin' }))
        expect((await context.gate.authorize(grantKey, undefined))?.grant.role).toBe('admin')
      },
    },
    {
      name: 'accepts and counts a call over the limit: rejecting it is up to the caller',
      async run(context) {
        const { grantKey } = await insertGrant(context)
        const rateLimit = buildRateLimit({ limit: 1 })
        await context.gate.count(rateLimit)
        expect(await context.gate.authorize(grantKey, rateLimit)).toMatchObject({
          grant: { role: 'member' },
          rateLimit: { used: 2 },
        })
      },
    },
    {
      name: 'counts fifty concurrent calls from one to fifty, each once',
      async run(context) {
        const { grantKey } = await insertGrant(context)
        const rateLimit = buildRateLimit()
        const results = await Promise.all(
          Array.from({ length: 50 }, () => context.gate.authorize(grantKey, rateLimit)),
        )
        const used = results.map((result) => result?.rateLimit?.used ?? 0).sort((a, b) => a - b)
        expect(used).toEqual(Array.from({ length: 50 }, (_, nth) => nth + 1))
      },
    },
    rejectsGrant('a revoked grant', (context, { grant }) =>
      write(context, GRANTS, (store) => store.update({ ...grant, revoked_at: instant(9) })),
    ),
    rejectsGrant('a deleted grant', (context, { grant }) =>
      write(context, GRANTS, (store) => store.softDelete(grant.id, instant(9))),
    ),
    rejectsGrant('a grant of a removed member', (context, { member }) =>
      write(context, MEMBERS, (store) => store.update({ ...member, removed_at: instant(9) })),
    ),
    rejectsGrant('a grant of a deleted member', (context, { member }) =>
      write(context, MEMBERS, (store) => store.softDelete(member.id, instant(9))),
    ),
    {
      name: 'rejects an unknown grant or one of another workspace, and does not count the call',
      async run(context) {
        const { grantKey } = await insertGrant(context)
        const rateLimit = buildRateLimit()
        expect(await context.gate.authorize(grantKey, undefined), 'a live grant').toBeDefined()
        expect(
          await context.gate.authorize({ ...grantKey, id: newId() }, rateLimit),
          'an unknown grant',
        ).toBeUndefined()
        expect(
          await context.gate.authorize({ ...grantKey, workspace_id: context.otherWorkspace }, rateLimit),
          'in another workspace',
        ).toBeUndefined()
        expect((await context.gate.count(rateLimit)).used, 'counted').toBe(1)
      },
    },
    {
      name: 'accepts a member that was removed from another workspace',
      async run(context) {
        const { member, grantKey } = await insertGrant(context)
        const otherContext = { storage: context.storage, workspace: context.otherWorkspace }
        await insertRow(otherContext, MEMBERS, { id: member.id, removed_at: instant(9) })
        expect(await context.gate.authorize(grantKey, undefined)).toMatchObject({
          grant: { user_id: member.id },
        })
      },
    },
  ],
}

/** The grant is accepted once before it ends, so that a gate with a stale cache fails the case. */
function rejectsGrant(
  description: string,
  endGrant: (context: AccessGateContext, sample: SampleGrant) => Promise<unknown>,
): Case<AccessGateContext> {
  return {
    name: `rejects ${description} from the next call on, and does not count the call`,
    async run(context) {
      const sample = await insertGrant(context)
      const rateLimit = buildRateLimit()
      expect(await context.gate.authorize(sample.grantKey, rateLimit), 'a live grant').toMatchObject({
        rateLimit: { used: 1 },
      })
      await endGrant(context, sample)
      expect(await context.gate.authorize(sample.grantKey, rateLimit), 'with a rate limit').toBeUndefined()
      expect(await context.gate.authorize(sample.grantKey, undefined), 'without a rate limit').toBeUndefined()
      expect((await context.gate.count(rateLimit)).used, 'counted').toBe(2)
    },
  }
}

async function insertGrant(context: AccessGateContext, changes: object = {}): Promise<SampleGrant> {
  const member = await insertRow(context, MEMBERS, { role: 'member', removed_at: null })
  const grant = await insertRow(context, GRANTS, { user_id: member.id, revoked_at: null, ...changes })
  return { member, grant, grantKey: { workspace_id: context.workspace, id: grant.id } }
}
