import fc from 'fast-check'
import { createCrm } from '../src/crm.ts'
import { localAccessGate } from '../src/features/rate-limits/local-access-gate.ts'
import { CrmError } from '../src/kernel/errors.ts'
import type { Storage } from '../src/ports/storage.ts'
import { buildVisitor, VERIFIER, withApp } from './oauth-harness.ts'
import { withPublicClient } from './public-client-harness.ts'
import { assertRotation, type ConnectionHistory, type Pair } from './rotation-history.ts'
import { scheduledStorage } from './scheduled-storage.ts'

export type Action =
  | { readonly do: 'exchange'; readonly whose: number; readonly isHeard: boolean }
  /** Of the pairs that were heard of, with the oldest first; by so many at once. */
  | {
      readonly do: 'refresh'
      readonly whose: number
      readonly which: number
      readonly times: number
      readonly isHeard: boolean
      readonly isTooMuch: boolean
    }
  | { readonly do: 'enter'; readonly whose: number; readonly which: number }
  | { readonly do: 'revoke'; readonly whose: number; readonly which: number; readonly by: keyof Pair }
  | { readonly do: 'disconnect'; readonly whose: number }
  | { readonly do: 'remove'; readonly whose: number }

const whose = fc.nat(1)
const which = fc.nat(3)
const rarely = fc.nat(5).map((nth) => nth === 0)

const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 1, arbitrary: fc.record({ do: fc.constant('exchange'), whose, isHeard: fc.boolean() }) },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('refresh'),
      whose,
      which,
      times: fc.constantFrom(1, 1, 1, 1, 1, 2, 20),
      isHeard: rarely.map((isLost) => !isLost),
      isTooMuch: rarely,
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('enter'), whose, which }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('revoke'),
      whose,
      which,
      by: fc.constantFrom('access', 'refresh'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('disconnect', 'remove'), whose }) },
)

const firstAction: fc.Arbitrary<Action> = fc.record({
  do: fc.constant('exchange'),
  whose,
  isHeard: fc.constant(true),
})

/** What is done at once, and then what once all of that was answered. It begins with those who get tokens. */
export const phases: fc.Arbitrary<readonly (readonly Action[])[]> = fc
  .tuple(
    fc.array(fc.oneof({ weight: 3, arbitrary: firstAction }, action), { minLength: 1, maxLength: 3 }),
    fc.array(fc.array(action, { maxLength: 4 }), { maxLength: 4 }),
  )
  .map(([begin, then]) => [begin, ...then])

/** One of two clients, with the calls that they make in their own ways. */
async function createClient(kind: 'app' | 'program', storage: Storage) {
  if (kind === 'program') {
    const { asked, client_id, programs, ...base } = await withPublicClient({ storage })
    const [own, proof] = [{ client_id }, { code_verifier: VERIFIER }]
    return {
      ...base,
      client_id,
      own,
      proof,
      begin: () => programs.beginAuthorization(asked),
      door: 'mcp' as const,
      of: 'publicClients' as const,
    }
  }
  const { asked, credentials, oauth, ...base } = await withApp({ storage })
  const begin = () => oauth.beginAuthorization(asked)
  return {
    ...base,
    client_id: credentials.client_id,
    own: credentials,
    proof: {},
    begin,
    door: 'interface' as const,
    of: undefined,
  }
}

/** Opens a place where many runs are made, each about two users of its own. */
export async function createRotationModel(kind: 'app' | 'program', storage: Storage) {
  const { ports, crm, client_id, own, proof, begin, door, of, owner } = await createClient(kind, storage)
  const workspace_id = owner.workspaceId
  let users = 0

  async function approved() {
    users += 1
    const person = { name: 'Una', email: `una${users}@acme.example` }
    const { id } = await crm.operator.addMember({ workspace: 'acme', role: 'member', ...person })
    const visitor = buildVisitor(id, person)
    const code = new URL((await crm.oauth.approve(visitor, await begin(), workspace_id))!).searchParams.get(
      'code',
    )!
    const history: ConnectionHistory = {
      exchanges: [],
      refreshes: [],
      ends: [],
      entered: [],
      finallyIn: [],
      finallyRefreshed: [],
    }
    return { visitor, email: person.email, code, heard: [] as Pair[], history }
  }

  /** What is called over a storage. */
  function callsOver(over: Storage) {
    const { oauth, accounts, operator, createAuthenticator } = createCrm({ ...ports, storage: over })
    const { token, revoke } = of ? oauth[of] : oauth
    const enter = createAuthenticator(localAccessGate(over, ports.now))
    const pairOf = ({
      access_token: access,
      refresh_token: refresh,
    }: {
      access_token: string
      refresh_token: string
    }): Pair => ({
      access,
      refresh,
    })
    return {
      exchange: (code: string) =>
        token({ grant_type: 'authorization_code', code, ...own, ...proof }).then(pairOf),
      refresh: (refresh_token: string, more = {}) =>
        token({ grant_type: 'refresh_token', refresh_token, ...own, ...more }).then(pairOf),
      revoke: (sent: string) => revoke({ token: sent, ...own }),
      disconnect: (visitor: Awaited<ReturnType<typeof approved>>['visitor']) =>
        accounts.disconnectApp(visitor, { workspace_id, client_id }),
      remove: (email: string) => operator.removeMember({ workspace: 'acme', email }),
      enter: async (access: string) =>
        (await enter(`Bearer ${access}`, { forApp: () => undefined, forAddress: undefined }, door)).actor !==
        undefined,
    }
  }

  /** @throws Error that says what happened which must not */
  return async (s: fc.Scheduler, phases: readonly (readonly Action[])[]): Promise<void> => {
    const calls = callsOver(scheduledStorage(storage, s))
    const connections = [await approved(), await approved()]
    let now = 0
    const next = () => {
      now += 1
      return now
    }

    /** Notes when it is called and answered. */
    async function noted<E extends { answered: number }>(
      entry: E,
      into: E[],
      work: () => Promise<unknown>,
    ): Promise<void> {
      into.push(entry)
      await work()
      entry.answered = next()
    }

    async function perform(act: Action): Promise<void> {
      const { visitor, email, code, heard, history } = connections[act.whose]!
      const asked = () => ({ called: next(), answered: Infinity })
      if (act.do === 'exchange') {
        const entry = { ...asked(), won: undefined as Pair | undefined }
        await noted(entry, history.exchanges, async () => {
          entry.won = await ignoreRejection(calls.exchange(code))
        })
        if (entry.won && act.isHeard) heard.push(entry.won)
      } else if (act.do === 'disconnect' || act.do === 'remove') {
        const entry = { ...asked(), isDone: false }
        await noted(entry, history.ends, async () => {
          const done = ignoreRejection<unknown>(
            act.do === 'remove' ? calls.remove(email) : calls.disconnect(visitor).then(() => true),
          )
          entry.isDone = (await done) !== undefined
        })
      } else {
        const pair = heard[act.which % Math.max(1, heard.length)]
        if (!pair) return
        if (act.do === 'enter') {
          const entry = { ...asked(), isIn: false }
          await noted(entry, history.entered, async () => {
            entry.isIn = await calls.enter(pair.access)
          })
        } else if (act.do === 'revoke') {
          // That of an app takes access tokens alone.
          const entry = { ...asked(), isDone: true }
          await noted(entry, history.ends, () => calls.revoke(of ? pair[act.by] : pair.access))
        } else {
          const { isHeard, isTooMuch } = act
          const presenting = Array.from({ length: act.times }, async () => {
            const entry = {
              ...asked(),
              won: undefined as Pair | undefined,
              presented: pair.refresh,
              isTooMuch,
            }
            await noted(entry, history.refreshes, async () => {
              entry.won = await ignoreRejection(
                calls.refresh(pair.refresh, isTooMuch ? { scope: 'everything' } : {}),
              )
            })
            if (entry.won && isHeard) heard.push(entry.won)
          })
          await Promise.all(presenting)
        }
      }
    }

    for (const acts of phases) {
      const begun = acts.map((act) => s.schedule(Promise.resolve(), act.do).then(() => perform(act)))
      await s.waitFor(Promise.all(begun))
    }
    for (const { history } of connections) {
      await checkFinalState(history, callsOver(storage))
      assertRotation(history, kind === 'program')
    }
  }
}

/** What still works. Tokens that were used are left alone, for a program's would end its grant. */
async function checkFinalState(
  history: ConnectionHistory,
  { enter, refresh }: { enter(access: string): Promise<boolean>; refresh(token: string): Promise<Pair> },
) {
  const issued = [...history.exchanges, ...history.refreshes].flatMap(({ won }) => won ?? [])
  for (const { access } of issued) history.finallyIn.push(await enter(access))
  const used = new Set(history.refreshes.filter(({ won }) => won).map(({ presented }) => presented))
  for (const pair of issued)
    if (!used.has(pair.refresh))
      history.finallyRefreshed.push((await ignoreRejection(refresh(pair.refresh))) !== undefined)
}

/** @throws whatever is no refusal */
async function ignoreRejection<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work
  } catch (error) {
    if (error instanceof CrmError && ['invalid_grant', 'invalid_request', 'not_found'].includes(error.code))
      return undefined
    throw error
  }
}
