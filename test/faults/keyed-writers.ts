import { randomUUID } from 'node:crypto'
import type { Calls } from './write-calls.ts'

/** The stages of the pipeline that the deals are made in: a deal begins in the first. */
export const STAGES = ['New', 'Talks'] as const

/** What a caller knows of a deal it made. */
export interface KnownDeal {
  readonly name: string
  /** Of the person that was made with the deal; undefined while nobody said that it was. */
  personId: string | undefined
  /** Whether it came into the second stage. */
  moved: 'no' | 'yes' | 'unsure'
}

export interface KeyedWritten {
  /** By id, deals whose making was acknowledged. */
  readonly deals: ReadonlyMap<string, KnownDeal>
  /**
   * Calls under a key that were sent again for want of an answer, and how many of these were answered as done
   * before.
   */
  readonly again: { readonly sent: number; readonly replayed: number }
  /** What two answers to one key contradicted each other in. */
  readonly contradictions: readonly string[]
}

interface KeyedWritersOptions extends Pick<Calls, 'call'> {
  isStopped(): boolean
  readonly moves: boolean
  readonly unsure: Set<string>
}

interface References {
  readonly tag: string
  readonly pipeline: string
  readonly stage: string
}

/** A name that tells a deal, and the person that is made with it, from all others. */
export const namesOf = (key: string) => ({ deal: `Deal ${key}`, person: `Person ${key}` })

/**
 * Each turn is three writes of several statements: a deal with a tag, a person that the deal belongs to, and
 * a move of the deal. The first two under a key, and sent again until they are answered.
 */
export function createKeyedWriters({ call, isStopped, moves, unsure }: KeyedWritersOptions): {
  readonly written: KeyedWritten
  write(): Promise<void>
} {
  const deals = new Map<string, KnownDeal>()
  const again = { sent: 0, replayed: 0 }
  const contradictions: string[] = []
  let ground: Promise<References | undefined> | undefined

  /** Undefined where nobody said what became of it before the callers were stopped, or it was refused. */
  async function made(path: string, name: string, body: object): Promise<string | undefined> {
    const key = randomUUID()
    let isUnsure = false
    unsure.add(name)
    for (;;) {
      const reply = await call('POST', path, body, key)
      if (reply.word === 'none' && !isUnsure) {
        isUnsure = true
        again.sent += 1
      }
      if (reply.word !== 'done') {
        if (!isStopped()) continue
        if (!isUnsure) unsure.delete(name)
        return undefined
      }
      unsure.delete(name)
      if (reply.replayed && !isUnsure)
        contradictions.push(`${name} was new, and was answered as done before.`)
      if (reply.replayed) again.replayed += 1
      const once = await call('POST', path, body, key)
      if (once.word === 'done' && (once.text !== reply.text || !once.replayed))
        contradictions.push(`${name} was answered first\n${reply.text}\nand then\n${once.text}`)
      return (JSON.parse(reply.text) as { readonly data: { readonly id: string } }).data.id
    }
  }

  async function write(): Promise<void> {
    while (!isStopped()) {
      ground ??= createReferences(call, isStopped)
      const on = await ground
      if (!on) return
      const names = namesOf(randomUUID())
      const id = await made('/v1/deals', names.deal, {
        name: names.deal,
        amount: 100,
        pipeline_id: on.pipeline,
        tags: [on.tag],
      })
      if (id === undefined) continue
      const known: KnownDeal = { name: names.deal, personId: undefined, moved: 'no' }
      deals.set(id, known)
      known.personId = await made('/v1/people', names.person, {
        full_name: names.person,
        tags: [on.tag],
        deals: [id],
      })
      if (isStopped() || !moves) continue
      known.moved = 'unsure'
      const { word } = await call('PATCH', `/v1/deals/${id}`, { stage_id: on.stage })
      if (word !== 'none') known.moved = word === 'done' ? 'yes' : 'no'
    }
  }

  return { written: { deals, again, contradictions }, write }
}

/**
 * What the deals refer to, made by whichever service is there. Undefined where the callers were stopped
 * before.
 */
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
  return { tag: tag.id, pipeline: pipeline.id, stage: pipeline.stages[1]!.id }
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
    const reply = await send()
    if (reply.word === 'done') return (JSON.parse(reply.text) as { readonly data: CreatedRecord }).data
  }
  return undefined
}
