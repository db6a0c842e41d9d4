import type { Records } from '@sales-crm/core/ports'
import { createNames, type KnownDeal } from './keyed-writers.ts'
import type { AcknowledgedWrites, KnownTask } from './writers.ts'

const POLL_MS = 20

/** Copies the acknowledged writes, so that later acknowledgments do not change the copy. */
function copyKnown(writes: AcknowledgedWrites): AcknowledgedWrites {
  return {
    ...writes,
    tasks: new Map([...writes.tasks].map(([id, known]) => [id, { ...known, titles: [...known.titles] }])),
    deals: new Map([...writes.deals].map(([id, deal]) => [id, { ...deal }])),
    unconfirmed: new Set(writes.unconfirmed),
  }
}

/**
 * Awaits `work` and returns the writes acknowledged before it had begun, from the last poll at which
 * `hasBegun` returned false.
 */
export async function copyKnownDuring(
  writes: AcknowledgedWrites,
  hasBegun: () => boolean,
  work: Promise<unknown>,
): Promise<AcknowledgedWrites> {
  let snapshot = copyKnown(writes)
  const poll = setInterval(() => {
    if (hasBegun()) clearInterval(poll)
    else snapshot = copyKnown(writes)
  }, POLL_MS)
  await work.finally(() => clearInterval(poll))
  return snapshot
}

/**
 * Returns the expected content of a copy that was begun after `writesBefore` and finished before `allWrites`.
 * The copy must contain all writes acknowledged before it began, and may contain any of the later ones.
 */
export function expectedInCopy(
  writesBefore: AcknowledgedWrites,
  allWrites: AcknowledgedWrites,
  copied: readonly Pick<Records['tasks'], 'id' | 'title'>[],
): AcknowledgedWrites {
  const copiedTitles = new Map(copied.map(({ id, title }) => [id, title]))
  const tasks = new Map<string, KnownTask>()
  for (const [id, known] of allWrites.tasks) {
    const knownBefore = writesBefore.tasks.get(id)
    const titleIndex = known.titles.indexOf(copiedTitles.get(id) ?? '')
    if (titleIndex >= (knownBefore?.titles.length ?? 1) - 1)
      tasks.set(id, {
        title: known.titles[titleIndex]!,
        titles: known.titles.slice(0, titleIndex + 1),
        unconfirmed: undefined,
      })
    else if (knownBefore) tasks.set(id, knownBefore)
  }
  const deals = new Map<string, KnownDeal>()
  for (const [id, knownBefore] of writesBefore.deals) {
    const { moved } = allWrites.deals.get(id)!
    deals.set(id, { ...knownBefore, moved: moved === knownBefore.moved ? moved : 'unknown' })
  }
  const names = [...allWrites.deals.values()].flatMap(({ name }) =>
    Object.values(createNames(name.replace(/^Deal /, ''))),
  )
  return {
    ...allWrites,
    tasks,
    deals,
    unconfirmed: new Set([...writesBefore.unconfirmed, ...allWrites.unconfirmed, ...names]),
  }
}

/** Merges the acknowledged writes of two successive groups of writers. */
export function mergeWrites(first: AcknowledgedWrites, second: AcknowledgedWrites): AcknowledgedWrites {
  return {
    ...second,
    tasks: new Map([...first.tasks, ...second.tasks]),
    deals: new Map([...first.deals, ...second.deals]),
    unconfirmed: new Set([...first.unconfirmed, ...second.unconfirmed]),
    contradictions: [...first.contradictions, ...second.contradictions],
  }
}
