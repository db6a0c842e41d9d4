import { expect } from 'vitest'
import { type Case, type Group, newId } from './case.ts'
import type { GateContext } from './gate-context.ts'
import { minute } from './gate-counts.ts'
import { placeOf, type Row, write } from './places.ts'
import { instant, planted } from './samples.ts'

const [GRANTS, MEMBERS] = [placeOf('grants'), placeOf('members')]

interface Admitted {
  readonly member: Row
  readonly grant: Row
  readonly whom: { readonly workspace_id: string; readonly id: string }
}

export const admits: Group<GateContext> = {
  name: 'admit',
  cases: [
    {
      name: 'a live grant lets in its user, through its app, and counts the call in the window count knows',
      async run(context) {
        const { grant, whom } = await granted(context)
        const counter = minute()
        const answer = await context.gate.admit(whom, counter)
        const { user_id, client_id } = grant
        expect(answer?.granted, 'a live grant is admitted').toEqual({ user_id, client_id, role: 'member' })
        expect(answer?.window, 'and counted').toMatchObject({ used: 1 })
        // A second may have passed.
        expect(await context.gate.count(counter), 'count goes on in that window').toMatchObject({ used: 2, resets: answer?.window?.resets })
        expect((await context.gate.admit(whom, counter))?.window, 'and so does admit').toMatchObject({ used: 3 })
      },
    },
    {
      name: 'without a counter there is no window',
      async run(context) {
        const { grant, whom } = await granted(context)
        const { user_id, client_id } = grant
        expect(await context.gate.admit(whom, undefined)).toEqual({ granted: { user_id, client_id, role: 'member' } })
      },
    },
    {
      name: 'a grant is admitted whether or not its app is known and its refresh token lives',
      async run(context) {
        const { whom } = await granted(context, { client_id: newId(), refresh_hash: null, refresh_expires_at: instant(-1) })
        expect(await context.gate.admit(whom, undefined)).toMatchObject({ granted: { role: 'member' } })
      },
    },
    {
      name: 'the role is the one the member has now',
      async run(context) {
        const { member, whom } = await granted(context)
        expect((await context.gate.admit(whom, undefined))?.granted.role, 'a live grant is admitted').toBe('member')
        await write(context, MEMBERS, (store) => store.update({ ...member, role: 'admin' }))
        expect((await context.gate.admit(whom, undefined))?.granted.role).toBe('admin')
      },
    },
    {
      name: 'over the limit the call is admitted and counted all the same: refusing it is up to the caller',
      async run(context) {
        const { whom } = await granted(context)
        const counter = minute({ limit: 1 })
        await context.gate.count(counter)
        expect(await context.gate.admit(whom, counter)).toMatchObject({ granted: { role: 'member' }, window: { used: 2 } })
      },
    },
    {
      name: 'fifty admitted at once are counted one to fifty, each once',
      async run(context) {
        const { whom } = await granted(context)
        const counter = minute()
        const answers = await Promise.all(Array.from({ length: 50 }, () => context.gate.admit(whom, counter)))
        const used = answers.map((answer) => answer?.window?.used ?? 0).sort((a, b) => a - b)
        expect(used).toEqual(Array.from({ length: 50 }, (_, nth) => nth + 1))
      },
    },
    refused('a grant that was revoked', (context, { grant }) =>
      write(context, GRANTS, (store) => store.update({ ...grant, revoked_at: instant(9) })),
    ),
    refused('a deleted grant', (context, { grant }) => write(context, GRANTS, (store) => store.softDelete(grant.id, instant(9)))),
    refused('a grant whose member was removed', (context, { member }) =>
      write(context, MEMBERS, (store) => store.update({ ...member, removed_at: instant(9) })),
    ),
    refused('a grant whose member is deleted', (context, { member }) =>
      write(context, MEMBERS, (store) => store.softDelete(member.id, instant(9))),
    ),
    {
      name: 'an unknown grant, or one of another workspace, is not admitted and not counted',
      async run(context) {
        const { whom } = await granted(context)
        const counter = minute()
        expect(await context.gate.admit(whom, undefined), 'a live grant is admitted').toBeDefined()
        expect(await context.gate.admit({ ...whom, id: newId() }, counter), 'an unknown grant').toBeUndefined()
        expect(await context.gate.admit({ ...whom, workspace_id: context.elsewhere }, counter), 'in another workspace').toBeUndefined()
        expect((await context.gate.count(counter)).used, 'counted').toBe(1)
      },
    },
    {
      name: 'a member removed from one workspace is still admitted to another',
      async run(context) {
        const { member, whom } = await granted(context)
        const there = { storage: context.storage, workspace: context.elsewhere }
        await planted(there, MEMBERS, { id: member.id, removed_at: instant(9) })
        expect(await context.gate.admit(whom, undefined)).toMatchObject({ granted: { user_id: member.id } })
      },
    },
  ],
}

/** Admits the grant once, so that a gate that remembers is caught, and then no more. */
function refused(whom: string, end: (context: GateContext, admitted: Admitted) => Promise<unknown>): Case<GateContext> {
  return {
    name: `${whom} is not admitted and not counted, from the next call on`,
    async run(context) {
      const admitted = await granted(context)
      const counter = minute()
      expect(await context.gate.admit(admitted.whom, counter), 'a live grant is admitted').toMatchObject({ window: { used: 1 } })
      await end(context, admitted)
      expect(await context.gate.admit(admitted.whom, counter), 'with a counter').toBeUndefined()
      expect(await context.gate.admit(admitted.whom, undefined), 'without a counter').toBeUndefined()
      expect((await context.gate.count(counter)).used, 'counted').toBe(2)
    },
  }
}

async function granted(context: GateContext, changes: object = {}): Promise<Admitted> {
  const member = await planted(context, MEMBERS, { role: 'member', removed_at: null })
  const grant = await planted(context, GRANTS, { user_id: member.id, revoked_at: null, ...changes })
  return { member, grant, whom: { workspace_id: context.workspace, id: grant.id } }
}
