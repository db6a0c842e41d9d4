import { randomUUID } from 'node:crypto'
import type { Calls } from './write-calls.ts'

/** The stages of the deals' pipeline. A deal begins in the first. */
export const STAGES = ['New', 'Talks'] as const

/** A deal as its creator knows it. */
export interface KnownDeal {
  readonly name: string
  /** The person created with the deal. Undefined until acknowledged. */
  personId: string | undefined
  /** True state of the move to the second stage, if known. */
  moved: 'no' | 'yes' | 'unknown'
}

export interface KeyedWrites {
  /** Deals whose creation was acknowledged, by id. */
  readonly deals: ReadonlyMap<string, KnownDeal>
  /** Number of keyed calls sent again after no response, and how many of these got a replayed response. */
  readonly retries: { readonly sent: number; readonly replayed: number }
  /** Differences between two responses under one key. */
  readonly contradictions: readonly string[]
}

interface KeyedWritersOptions extends Pick<Calls, 'call'> {
  isStopped(): boolean
  readonly moves: boolean
  readonly unconfirmed: Set<string>
}

interface References {
  readonly tagId: string
  readonly pipelineId: string
  readonly stageId: string
}

/** Returns unique names for a deal and its person. */
export const createNames = (key: string) => ({ deal: `Deal ${key}`, person: `Person ${key}` })

/**
 * Creates writers that make three writes of several statements in turn: a deal with a tag, a person with the
 * deal, and a move of the deal. The first two have an idempotency key and are retried until answered.
 */
export function createKeyedWriters({ call, isStopped, moves, unconfirmed }: KeyedWritersOptions): {
  readonly writes: KeyedWrites
  write(): Promise<void>
} {
  const deals = new Map<string, KnownDeal>()
  const retries = { sent: 0, replayed: 0 }
  const contradictions: string[] = []
  let references: Promise<References | undefined> | undefined

  /**
   * Creates a record under a key and returns its id. Returns undefined if the writers were stopped before its
   * creation was acknowledged.
   */
  async function createWithKey(path: string, name: string, body: object): Promise<string | undefined> {
    const key = randomUUID()
    let isUnconfirmed = false
    unconfirmed.add(name)
    for (;;) {
      const result = await call('POST', path, body, key)
      if (result.outcome === 'unknown' && !isUnconfirmed) {
        isUnconfirmed = true
        retries.sent += 1
      }
      if (result.outcome !== 'success') {
        if (!isStopped()) continue
        if (!isUnconfirmed) unconfirmed.delete(name)
        return undefined
      }
      unconfirmed.delete(name)
      if (result.replayed && !isUnconfirmed)
        contradictions.push(`${name} was new, and its response was a replay.`)
      if (result.replayed) retries.replayed += 1
      const repeated = await call('POST', path, body, key)
      if (repeated.outcome === 'success' && (repeated.text !== result.text || !repeated.replayed))
        contradictions.push(`${name} was answered first\n${result.text}\nand then\n${repeated.text}`)
      return (JSON.parse(result.text) as { readonly data: { readonly id: string } }).data.id
    }
  }

  async function write(): Promise<void> {
    while (!isStopped()) {
      references ??= createReferences(call, isStopped)
      const refs = await references
      if (!refs) return
      const names = createNames(randomUUID())
      const id = await createWithKey('/v1/deals', names.deal, {
        name: names.deal,
        amount: 100,
        pipeline_id: refs.pipelineId,
        tags: [refs.tagId],
      })
      if (id === undefined) continue
      const known: KnownDeal = { name: names.deal, personId: undefined, moved: 'no' }
      deals.set(id, known)
      known.personId = await createWithKey('/v1/people', names.person, {
        full_name: names.person,
        tags: [refs.tagId],
        deals: [id],
      })
      if (isStopped() || !moves) continue
      known.moved = 'unknown'
      const { outcome } = await call('PATCH', `/v1/deals/${id}`, { stage_id: refs.stageId })
      if (outcome !== 'unknown') known.moved = outcome === 'success' ? 'yes' : 'no'
    }
  }

  return { writes: { deals, retries, contradictions }, write }
}

/** Creates the tag and the pipeline of the deals. Returns undefined if the writers were stopped before. */
async function createReferences(
  call: Calls['call'],
  isStopped: () => boolean,
): Promise<References | undefined> {
  const stages = STAGES.map((name) => ({ name, type: 'open' }))
  const tag = await callUntilDone(
    () => call('POST', '/v1/tags', { name: `Tag ${randomUUID().slice(0, 8)}` }),
    isStopped,
  )
  const pipeline = await callUntilDone(
    () => call('POST', '/v1/pipelines', { name: `Pipeline ${randomUUID()}`, stages }),
    isStopped,
  )
  if (!tag || !pipeline) return undefined
  return { tagId: tag.id, pipelineId: pipeline.id, stageId: pipeline.stages[1]!.id }
}

interface CreatedRecord {
  readonly id: string
  readonly stages: readonly { readonly id: string }[]
}

async function callUntilDone(
  send: () => ReturnType<Calls['call']>,
  isStopped: () => boolean,
): Promise<CreatedRecord | undefined> {
  while (!isStopped()) {
    const result = await send()
    if (result.outcome === 'success')
      return (JSON.parse(result.text) as { readonly data: CreatedRecord }).data
  }
  return undefined
}
