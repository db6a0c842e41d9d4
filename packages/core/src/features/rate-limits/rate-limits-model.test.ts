import fc from 'fast-check'
import { test } from 'vitest'
import { deferredStorage } from '../../../../conformance/test/deferred-storage.ts'
import { fakeClock, NOON, secrets, sequentialIds, UNKNOWN_ID } from '../../../test/harness.ts'
import { assertLimits, type CountedCall } from '../../../test/rate-limit-model.ts'
import { scheduledStorage } from '../../../test/scheduled-storage.ts'
import { isOverLimit, type RateLimit, type RateLimitStatus } from '../../kernel/rate-limit.ts'
import { memoryStorage } from '../../memory/index.ts'
import type { Storage } from '../../ports/storage.ts'
import { localAccessGate } from './local-access-gate.ts'
import { countPersistentRateLimit } from './persistent-rate-limit.ts'

const ID = '0198c0de-0000-7000-8000-00000000000a'
const GRANT = { workspace_id: '0198c0de-0000-7000-8000-00000000000b', id: ID }

type Act =
  | 'revoke'
  | { readonly time: number }
  | { readonly key: string; readonly times: number; readonly isAdmit: boolean }

const acts: fc.Arbitrary<readonly Act[]> = fc.array(
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        key: fc.constantFrom('a', 'b'),
        times: fc.constantFrom(1, 2, 7),
        isAdmit: fc.boolean(),
      }),
    },
    { weight: 3, arbitrary: fc.record({ time: fc.constantFrom(0.25, 0.75, 1, 4, 5) }) },
    { weight: 1, arbitrary: fc.constant('revoke' as const) },
  ),
  { minLength: 1, maxLength: 16 },
)

const rateLimitOf = (key: string): RateLimit => ({ key, limit: 4, seconds: key === 'a' ? 5 : 2 })

/** Inserts a grant and the member who approved it. */
async function insertGrant(storage: Storage): Promise<void> {
  const stamp = { created_at: NOON, updated_at: NOON }
  const nullFields = { refresh_hash: null, family_hash: null, refresh_expires_at: null, revoked_at: null }
  await storage.transact(async (tx) => {
    const { grants, members } = tx.workspace(GRANT.workspace_id)
    await members.insert({
      id: ID,
      role: 'member',
      removed_at: null,
      has_joined: true,
      language: null,
      reminder_time: null,
      calendar_hash: null,
      notices: {},
      ...stamp,
    })
    await grants.insert({
      id: ID,
      user_id: ID,
      client_id: UNKNOWN_ID,
      scopes: [],
      audience: 'interface',
      ...nullFields,
      ...stamp,
    })
  })
}

interface RateLimitUnderTest {
  readonly storage: Storage
  count(rateLimit: RateLimit): Promise<RateLimitStatus>
  /** `undefined` for a revoked grant. Omitted where calls are only counted. */
  admit?(rateLimit: RateLimit): Promise<RateLimitStatus | undefined>
}

/** Starts all acts in order and lets the scheduler interleave them. */
async function runActs(
  s: fc.Scheduler,
  acts: readonly Act[],
  { storage, count, admit }: RateLimitUnderTest,
  clock: ReturnType<typeof fakeClock>,
): Promise<void> {
  const counted: CountedCall[] = []
  const second = () => Math.floor(Date.parse(clock.now()) / 1000)
  let isRevoked = false

  async function call(rateLimit: RateLimit, isAdmit: boolean): Promise<void> {
    const [called, wasRevoked] = [second(), isRevoked]
    const window = await (isAdmit && admit ? admit(rateLimit) : count(rateLimit))
    if (!window) return
    if (isAdmit && admit && wasRevoked)
      throw new Error('What was revoked before is neither admitted nor counted.')
    counted.push({
      counter: rateLimit,
      called,
      answered: second(),
      window,
      isAdmitted: !isOverLimit(window),
    })
  }

  async function perform(act: Act): Promise<void> {
    if (act === 'revoke') {
      await storage.transact(async (tx) => {
        const { grants } = tx.workspace(GRANT.workspace_id)
        await grants.update({ ...(await grants.getForUpdate(ID))!, revoked_at: clock.now() })
      })
      isRevoked = true
    } else if ('time' in act) clock.advance(act.time)
    else await Promise.all(Array.from({ length: act.times }, () => call(rateLimitOf(act.key), act.isAdmit)))
  }

  const running: Promise<void>[] = []
  const sequence = s.scheduleSequence(
    acts.map((act) => ({ label: JSON.stringify(act), builder: async () => void running.push(perform(act)) })),
  )
  await s.waitFor(sequence.task)
  await s.waitFor(Promise.all(running))
  assertLimits(counted)
}

test('the local gate admits as many calls as the limit, in whatever order its lookups end', async () => {
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), acts, async (s, acts) => {
      const clock = fakeClock(NOON)
      const within = memoryStorage()
      await insertGrant(within)
      const storage = scheduledStorage(within, s)
      const gate = localAccessGate(storage, clock.now)
      const admit = async (rateLimit: RateLimit) => (await gate.authorize(GRANT, rateLimit))?.rateLimit
      await runActs(s, acts, { storage, count: gate.count, admit }, clock)
    }),
    { numRuns: 150, timeout: 2000 },
  )
})

test('persistent windows admit as many calls as the limit with concurrent transactions', async () => {
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), acts, async (s, acts) => {
      const clock = fakeClock(NOON)
      const within = deferredStorage()
      await insertGrant(within)
      const storage = scheduledStorage(within, s)
      const count = (rateLimit: RateLimit) =>
        countPersistentRateLimit({ storage, secrets, now: clock.now, newId }, rateLimit)
      await runActs(s, acts, { storage, count }, clock)
    }),
    { numRuns: 50, timeout: 5000 },
  )
})

const newId = sequentialIds(2_000_000)
