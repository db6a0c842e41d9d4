import fc from 'fast-check'
import { createCrm } from '../src/crm.ts'
import { localAccessGate } from '../src/features/rate-limits/local-access-gate.ts'
import { CrmError } from '../src/kernel/errors.ts'
import type { Storage } from '../src/ports/storage.ts'
import { buildUserSession, VERIFIER, withApp } from './oauth-harness.ts'
import { withPublicClient } from './public-client-harness.ts'
import { assertRotation, type ConnectionHistory, type Pair } from './rotation-history.ts'
import { scheduledStorage } from './scheduled-storage.ts'

export type Action =
  | { readonly do: 'exchange'; readonly user: number; readonly isReceived: boolean }
  /** Presents the refresh token of a received pair, oldest pair first, in `times` concurrent calls. */
  | {
      readonly do: 'refresh'
      readonly user: number
      readonly pair: number
      readonly times: number
      readonly isReceived: boolean
      readonly exceedsScope: boolean
    }
  | { readonly do: 'authenticate'; readonly user: number; readonly pair: number }
  | { readonly do: 'revoke'; readonly user: number; readonly pair: number; readonly by: keyof Pair }
  | { readonly do: 'disconnect'; readonly user: number }
  | { readonly do: 'remove'; readonly user: number }

const user = fc.nat(1)
const pair = fc.nat(3)
const rarely = fc.nat(5).map((nth) => nth === 0)

const action: fc.Arbitrary<Action> = fc.oneof(
  { weight: 1, arbitrary: fc.record({ do: fc.constant('exchange'), user, isReceived: fc.boolean() }) },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('refresh'),
      user,
      pair,
      times: fc.constantFrom(1, 1, 1, 1, 1, 2, 20),
      isReceived: rarely.map((isLost) => !isLost),
      exceedsScope: rarely,
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('authenticate'), user, pair }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('revoke'),
      user,
      pair,
      by: fc.constantFrom('access', 'refresh'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('disconnect', 'remove'), user }) },
)

const firstAction: fc.Arbitrary<Action> = fc.record({
  do: fc.constant('exchange'),
  user,
  isReceived: fc.constant(true),
})

/**
 * Each phase runs its actions concurrently and starts after all of the previous phase completed. The first
 * phase exchanges codes.
 */
export const phases: fc.Arbitrary<readonly (readonly Action[])[]> = fc
  .tuple(
    fc.array(fc.oneof({ weight: 3, arbitrary: firstAction }, action), { minLength: 1, maxLength: 3 }),
    fc.array(fc.array(action, { maxLength: 4 }), { maxLength: 4 }),
  )
  .map(([begin, then]) => [begin, ...then])

/** Creates a confidential or a public client with its calls. */
async function createClient(kind: 'app' | 'program', storage: Storage) {
  if (kind === 'program') {
    const { authorizationRequest, client_id, publicClients, ...base } = await withPublicClient({ storage })
    const [credentials, codeVerifier] = [{ client_id }, { code_verifier: VERIFIER }]
    return {
      ...base,
      client_id,
      credentials,
      proof: codeVerifier,
      begin: () => publicClients.beginAuthorization(authorizationRequest),
      audience: 'mcp' as const,
      endpoints: 'publicClients' as const,
    }
  }
  const { authorizationRequest, credentials, oauth, ...base } = await withApp({ storage })
  const begin = () => oauth.beginAuthorization(authorizationRequest)
  return {
    ...base,
    client_id: credentials.client_id,
    credentials,
    proof: {},
    begin,
    audience: 'interface' as const,
    endpoints: undefined,
  }
}

/** Creates the model. Each run has two users of its own. */
export async function createRotationModel(kind: 'app' | 'program', storage: Storage) {
  const { ports, crm, client_id, credentials, proof, begin, audience, endpoints, owner } = await createClient(
    kind,
    storage,
  )
  const workspace_id = owner.workspaceId
  let users = 0

  async function approveNewUser() {
    users += 1
    const person = { name: 'Una', email: `una${users}@acme.example` }
    const { id } = await crm.operator.addMember({ workspace: 'acme', role: 'member', ...person })
    const userSession = buildUserSession(id, person)
    const code = new URL(
      (await crm.oauth.approve(userSession, await begin(), workspace_id))!,
    ).searchParams.get('code')!
    const history: ConnectionHistory = {
      exchanges: [],
      refreshes: [],
      ends: [],
      authentications: [],
      accessTokensWork: [],
      refreshTokensWork: [],
    }
    return { userSession, email: person.email, code, received: [] as Pair[], history }
  }

  /** The calls of the client over a storage. */
  function createCalls(callStorage: Storage) {
    const { oauth, accounts, operator, createAuthenticator } = createCrm({ ...ports, storage: callStorage })
    const { token, revoke } = endpoints ? oauth[endpoints] : oauth
    const authenticate = createAuthenticator(localAccessGate(callStorage, ports.now))
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
        token({ grant_type: 'authorization_code', code, ...credentials, ...proof }).then(pairOf),
      refresh: (refresh_token: string, more = {}) =>
        token({ grant_type: 'refresh_token', refresh_token, ...credentials, ...more }).then(pairOf),
      revoke: (revokedToken: string) => revoke({ token: revokedToken, ...credentials }),
      disconnect: (userSession: Awaited<ReturnType<typeof approveNewUser>>['userSession']) =>
        accounts.disconnectApp(userSession, { workspace_id, client_id }),
      remove: (email: string) => operator.removeMember({ workspace: 'acme', email }),
      authenticate: async (access: string) =>
        (await authenticate(`Bearer ${access}`, { forApp: () => undefined, forAddress: undefined }, audience))
          .actor !== undefined,
    }
  }

  /** @throws Error with the violated rule */
  return async (s: fc.Scheduler, phases: readonly (readonly Action[])[]): Promise<void> => {
    const calls = createCalls(scheduledStorage(storage, s))
    const connections = [await approveNewUser(), await approveNewUser()]
    let now = 0
    const next = () => {
      now += 1
      return now
    }

    /** Adds the entry to the history, runs the call and records its response. */
    async function record<E extends { answered: number }>(
      entry: E,
      into: E[],
      work: () => Promise<unknown>,
    ): Promise<void> {
      into.push(entry)
      await work()
      entry.answered = next()
    }

    async function perform(action: Action): Promise<void> {
      const { userSession, email, code, received, history } = connections[action.user]!
      const startCall = () => ({ called: next(), answered: Infinity })
      if (action.do === 'exchange') {
        const entry = { ...startCall(), tokens: undefined as Pair | undefined }
        await record(entry, history.exchanges, async () => {
          entry.tokens = await ignoreRejection(calls.exchange(code))
        })
        if (entry.tokens && action.isReceived) received.push(entry.tokens)
      } else if (action.do === 'disconnect' || action.do === 'remove') {
        const entry = { ...startCall(), hasSucceeded: false }
        await record(entry, history.ends, async () => {
          const result = ignoreRejection<unknown>(
            action.do === 'remove' ? calls.remove(email) : calls.disconnect(userSession).then(() => true),
          )
          entry.hasSucceeded = (await result) !== undefined
        })
      } else {
        const pair = received[action.pair % Math.max(1, received.length)]
        if (!pair) return
        if (action.do === 'authenticate') {
          const entry = { ...startCall(), isAccepted: false }
          await record(entry, history.authentications, async () => {
            entry.isAccepted = await calls.authenticate(pair.access)
          })
        } else if (action.do === 'revoke') {
          // A confidential client revokes access tokens only.
          const entry = { ...startCall(), hasSucceeded: true }
          await record(entry, history.ends, () => calls.revoke(endpoints ? pair[action.by] : pair.access))
        } else {
          const { isReceived, exceedsScope } = action
          const refreshes = Array.from({ length: action.times }, async () => {
            const entry = {
              ...startCall(),
              tokens: undefined as Pair | undefined,
              presented: pair.refresh,
              exceedsScope,
            }
            await record(entry, history.refreshes, async () => {
              entry.tokens = await ignoreRejection(
                calls.refresh(pair.refresh, exceedsScope ? { scope: 'everything' } : {}),
              )
            })
            if (entry.tokens && isReceived) received.push(entry.tokens)
          })
          await Promise.all(refreshes)
        }
      }
    }

    for (const actions of phases) {
      const running = actions.map((action) =>
        s.schedule(Promise.resolve(), action.do).then(() => perform(action)),
      )
      await s.waitFor(Promise.all(running))
    }
    for (const { history } of connections) {
      await checkFinalState(history, createCalls(storage))
      assertRotation(history, kind === 'program')
    }
  }
}

/**
 * Checks which tokens work at the end. Skips used refresh tokens, since reuse ends the grant of a public
 * client.
 */
async function checkFinalState(
  history: ConnectionHistory,
  {
    authenticate,
    refresh,
  }: { authenticate(access: string): Promise<boolean>; refresh(token: string): Promise<Pair> },
) {
  const issued = [...history.exchanges, ...history.refreshes].flatMap(({ tokens }) => tokens ?? [])
  for (const { access } of issued) history.accessTokensWork.push(await authenticate(access))
  const used = new Set(history.refreshes.filter(({ tokens }) => tokens).map(({ presented }) => presented))
  for (const pair of issued)
    if (!used.has(pair.refresh))
      history.refreshTokensWork.push((await ignoreRejection(refresh(pair.refresh))) !== undefined)
}

/**
 * Returns undefined for a rejection.
 * @throws any other error
 */
async function ignoreRejection<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work
  } catch (error) {
    if (error instanceof CrmError && ['invalid_grant', 'invalid_request', 'not_found'].includes(error.code))
      return undefined
    throw error
  }
}
