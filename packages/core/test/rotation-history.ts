/**
 * The numbers of `called` and `answered` are in the order in which these were; what was not answered has
 * none.
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
  won: Pair | undefined
}

export interface Refresh extends Exchange {
  readonly presented: string
  /** It asks for what was never granted, and is refused whatever it presents. */
  readonly isTooMuch: boolean
}

/** A revocation, a disconnection or a removal. */
export interface End extends CallInterval {
  isDone: boolean
}

export interface AuthenticationAttempt extends CallInterval {
  isIn: boolean
}

/** All that was asked about one connection of a user with an app, and what of it works in the end. */
export interface ConnectionHistory {
  readonly exchanges: Exchange[]
  readonly refreshes: Refresh[]
  readonly ends: End[]
  readonly entered: AuthenticationAttempt[]
  /** Of all access tokens, once all is over. */
  readonly finallyIn: boolean[]
  /** Of all refresh tokens that nobody has used, tried one after another once all is over. */
  readonly finallyRefreshed: boolean[]
}

const compareNumbers = (a: number, b: number) => a - b

/**
 * @param isProgram whether a replaced token that comes again ends the grant
 * @throws Error that names the rule that was broken
 */
export function assertRotation(history: ConnectionHistory, isProgram: boolean): void {
  const { exchanges, refreshes, ends, entered, finallyIn, finallyRefreshed } = history
  const assert = (isSo: boolean, rule: string) => {
    if (!isSo) throw new Error(`${rule}\n${describeHistory(history)}`)
  }
  const wins = exchanges.filter(({ won }) => won)
  const ofToken = [...Map.groupBy(refreshes, ({ presented }) => presented).values()]
  const good = (all: readonly Refresh[]) => all.filter(({ isTooMuch }) => !isTooMuch)

  // Since when the connection may be over, and since when it must be.
  const mayEnd = ends.map(({ called }) => called)
  const mustEnd = ends.filter(({ isDone }) => isDone).map(({ answered }) => answered)
  second(exchanges)
  if (isProgram) for (const all of ofToken) if (good(all).length > 0) second(all, good(all).length > 1)
  const [maybe, surely] = [Math.min(...mayEnd), Math.min(...mustEnd)]

  /** Two uses of one thing: the later one to be judged ends the grant, whichever it is. */
  function second(uses: readonly CallInterval[], isSure = true): void {
    if (uses.length < 2) return
    mayEnd.push(uses.map(({ called }) => called).sort(compareNumbers)[1]!)
    if (isSure)
      mustEnd.push(
        good(uses as readonly Refresh[])
          .map(({ answered }) => answered)
          .sort(compareNumbers)[1]!,
      )
  }

  assert(wins.length <= 1, 'A code gives tokens once.')
  if (exchanges.some(({ answered }) => answered < Math.min(...ends.map(({ called }) => called))))
    assert(wins.length === 1, 'A code gives tokens.')
  for (const all of ofToken) {
    const won = all.filter(({ won }) => won)
    assert(won.length <= 1, 'A refresh token gives one pair.')
    assert(!won.some(({ isTooMuch }) => isTooMuch), 'No more is given than was granted.')
    if (good(all).some(({ answered }) => answered < maybe))
      assert(won.length === 1, 'A refresh token that was not replaced gives a pair.')
  }
  for (const { called, won } of [...exchanges, ...refreshes])
    assert(!won || called < surely, 'Nothing is given once the grant is over.')
  for (const { called, answered, isIn } of entered) {
    assert(!isIn || called < surely, 'No token works once the grant is over.')
    assert(isIn || answered > maybe, 'A token works until the grant is over.')
  }
  if (wins.length === 0) return
  if (surely < Infinity)
    assert(
      ![...finallyIn, ...finallyRefreshed].includes(true),
      'In the end no token works of a grant that is over.',
    )
  if (maybe === Infinity)
    assert(!finallyIn.includes(false), 'In the end all access tokens work of a grant that is not over.')
  if (maybe === Infinity)
    assert(
      finallyRefreshed.filter((each) => each).length === 1,
      'In the end one refresh token works of a grant that is not over.',
    )
  assert(new Set(finallyIn).size <= 1, 'Tokens of one grant work together or not at all.')
  assert(
    finallyRefreshed.includes(true) === finallyIn.includes(true),
    'Both kinds of tokens work together or not at all.',
  )
}

function describeHistory({
  exchanges,
  refreshes,
  ends,
  entered,
  finallyIn,
  finallyRefreshed,
}: ConnectionHistory): string {
  const short = (_: string, value: unknown) => (typeof value === 'string' ? value.slice(70, 90) : value)
  return JSON.stringify({ exchanges, refreshes, ends, entered, finallyIn, finallyRefreshed }, short, 1)
}
