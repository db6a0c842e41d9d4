import type { Records } from '@sales-crm/core/ports'
import { type KnownDeal, namesOf } from './keyed-writers.ts'
import type { AcknowledgedWrites, KnownTask } from './writers.ts'

const LOOK_MS = 20

/** Whatever they learn later. */
function copyKnown(written: AcknowledgedWrites): AcknowledgedWrites {
  return {
    ...written,
    tasks: new Map([...written.tasks].map(([id, known]) => [id, { ...known, told: [...known.told] }])),
    deals: new Map([...written.deals].map(([id, deal]) => [id, { ...deal }])),
    unsure: new Set(written.unsure),
  }
}

/** What callers knew at the last look at which the work had not begun, and the work done. */
export async function copyKnownDuring(
  written: AcknowledgedWrites,
  hasBegun: () => boolean,
  work: Promise<unknown>,
): Promise<AcknowledgedWrites> {
  let known = copyKnown(written)
  const timer = setInterval(() => {
    if (hasBegun()) clearInterval(timer)
    else known = copyKnown(written)
  }, LOOK_MS)
  await work.finally(() => clearInterval(timer))
  return known
}

/**
 * What callers know of a copy that was begun after `before`, and ended before `later`: all that was
 * acknowledged before is in it, and of what came meanwhile any part may be.
 */
export function expectedInCopy(
  before: AcknowledgedWrites,
  later: AcknowledgedWrites,
  copied: readonly Pick<Records['tasks'], 'id' | 'title'>[],
): AcknowledgedWrites {
  const titles = new Map(copied.map(({ id, title }) => [id, title]))
  const tasks = new Map<string, KnownTask>()
  for (const [id, known] of later.tasks) {
    const then = before.tasks.get(id)
    const at = known.told.indexOf(titles.get(id) ?? '')
    if (at >= (then?.told.length ?? 1) - 1)
      tasks.set(id, { title: known.told[at]!, told: known.told.slice(0, at + 1), unsure: undefined })
    else if (then) tasks.set(id, then)
  }
  const deals = new Map<string, KnownDeal>()
  for (const [id, then] of before.deals) {
    const { moved } = later.deals.get(id)!
    deals.set(id, { ...then, moved: moved === then.moved ? moved : 'unsure' })
  }
  const names = [...later.deals.values()].flatMap(({ name }) =>
    Object.values(namesOf(name.replace(/^Deal /, ''))),
  )
  return { ...later, tasks, deals, unsure: new Set([...before.unsure, ...later.unsure, ...names]) }
}

/** What two lots of callers know, one after the other. */
export function mergeWritten(first: AcknowledgedWrites, second: AcknowledgedWrites): AcknowledgedWrites {
  return {
    ...second,
    tasks: new Map([...first.tasks, ...second.tasks]),
    deals: new Map([...first.deals, ...second.deals]),
    unsure: new Set([...first.unsure, ...second.unsure]),
    contradictions: [...first.contradictions, ...second.contradictions],
  }
}
