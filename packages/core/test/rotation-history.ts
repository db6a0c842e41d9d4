/**
 * Sequence numbers of the call and its response, which order all calls of a run; `answered` is infinite
 * without a response.
 */
interface CallInterval {
  readonly called: number
  answered: number
}

export interface Pair {
  readonly access: string
  readonly refresh: string
}

export interface Exchange extends CallInterval {
  tokens: Pair | undefined
}

export interface Refresh extends Exchange {
  readonly presented: string
  /** Requests a scope that was never granted, so that it must be rejected. */
  readonly exceedsScope: boolean
}

/** A revocation, a disconnection or a removal. */
export interface End extends CallInterval {
  hasSucceeded: boolean
}

export interface AuthenticationAttempt extends CallInterval {
  isAccepted: boolean
}

/** All calls about the connection of one user with one app, and the final state of its tokens. */
export interface ConnectionHistory {
  readonly exchanges: Exchange[]
  readonly refreshes: Refresh[]
  readonly ends: End[]
  readonly authentications: AuthenticationAttempt[]
  /** Whether each access token works at the end. */
  readonly accessTokensWork: boolean[]
  /** Whether each unused refresh token works at the end, tried one after another. */
  readonly refreshTokensWork: boolean[]
}

const compareNumbers = (a: number, b: number) => a - b

/**
 * @param isPublicClient whether the reuse of a replaced refresh token ends the grant
 * @throws Error with the violated rule
 */
export function assertRotation(history: ConnectionHistory, isPublicClient: boolean): void {
  const { exchanges, refreshes, ends, authentications, accessTokensWork, refreshTokensWork } = history
  const assert = (isTrue: boolean, rule: string) => {
    if (!isTrue) throw new Error(`${rule}\n${describeHistory(history)}`)
  }
  const issued = exchanges.filter(({ tokens }) => tokens)
  const refreshesByToken = [...Map.groupBy(refreshes, ({ presented }) => presented).values()]
  const withinScope = (all: readonly Refresh[]) => all.filter(({ exceedsScope }) => !exceedsScope)

  // The earliest times at which the grant may have ended and must have ended.
  const mayEnd = ends.map(({ called }) => called)
  const mustEnd = ends.filter(({ hasSucceeded }) => hasSucceeded).map(({ answered }) => answered)
  addReuse(exchanges)
  if (isPublicClient)
    for (const uses of refreshesByToken)
      if (withinScope(uses).length > 0) addReuse(uses, withinScope(uses).length > 1)
  const [mayHaveEnded, mustHaveEnded] = [Math.min(...mayEnd), Math.min(...mustEnd)]

  /** Adds the reuse of a code or token: its second use in the order of processing ends the grant. */
  function addReuse(uses: readonly CallInterval[], endsGrant = true): void {
    if (uses.length < 2) return
    mayEnd.push(uses.map(({ called }) => called).sort(compareNumbers)[1]!)
    if (endsGrant)
      mustEnd.push(
        withinScope(uses as readonly Refresh[])
          .map(({ answered }) => answered)
          .sort(compareNumbers)[1]!,
      )
  }

  assert(issued.length <= 1, 'A code issues tokens at most once.')
  if (exchanges.some(({ answered }) => answered < Math.min(...ends.map(({ called }) => called))))
    assert(issued.length === 1, 'A code issues tokens.')
  for (const uses of refreshesByToken) {
    const refreshed = uses.filter(({ tokens }) => tokens)
    assert(refreshed.length <= 1, 'A refresh token issues one pair.')
    assert(!refreshed.some(({ exceedsScope }) => exceedsScope), 'No scope beyond the grant is issued.')
    if (withinScope(uses).some(({ answered }) => answered < mayHaveEnded))
      assert(refreshed.length === 1, 'A refresh token that was not replaced issues a pair.')
  }
  for (const { called, tokens } of [...exchanges, ...refreshes])
    assert(!tokens || called < mustHaveEnded, 'Nothing is issued after the grant has ended.')
  for (const { called, answered, isAccepted } of authentications) {
    assert(!isAccepted || called < mustHaveEnded, 'No token works after the grant has ended.')
    assert(isAccepted || answered > mayHaveEnded, 'A token works until the grant ends.')
  }
  if (issued.length === 0) return
  if (mustHaveEnded < Infinity)
    assert(
      ![...accessTokensWork, ...refreshTokensWork].includes(true),
      'At the end, no token of an ended grant works.',
    )
  if (mayHaveEnded === Infinity)
    assert(!accessTokensWork.includes(false), 'At the end, all access tokens of a live grant work.')
  if (mayHaveEnded === Infinity)
    assert(
      refreshTokensWork.filter((each) => each).length === 1,
      'At the end, exactly one refresh token of a live grant works.',
    )
  assert(new Set(accessTokensWork).size <= 1, 'Either all access tokens of a grant work or none.')
  assert(
    refreshTokensWork.includes(true) === accessTokensWork.includes(true),
    'Either both kinds of tokens work or none.',
  )
}

function describeHistory({
  exchanges,
  refreshes,
  ends,
  authentications,
  accessTokensWork,
  refreshTokensWork,
}: ConnectionHistory): string {
  const short = (_: string, value: unknown) => (typeof value === 'string' ? value.slice(70, 90) : value)
  return JSON.stringify(
    { exchanges, refreshes, ends, authentications, accessTokensWork, refreshTokensWork },
    short,
    1,
  )
}
