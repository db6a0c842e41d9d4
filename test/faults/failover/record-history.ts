/** A call on one record whose values are all different. Times are milliseconds of one clock. */
export interface RecordCall {
  readonly kind: 'read' | 'write'
  readonly value: string
  readonly startedAt: number
  /** Infinite for a write that may take effect at any later time, or never: its outcome is unknown. */
  readonly endedAt: number
}

/** The calls on one value: its write and its reads. */
interface ValueCalls {
  readonly value: string
  readonly firstEnd: number
  readonly lastStart: number
}

/**
 * Checks that the calls are linearizable: each took effect at one moment between its start and its end. A read never
 * returns a value that was overwritten before the read began. By the theorem of Gibbons and Korach on registers whose
 * values are all different.
 * @throws Error describing a violation
 */
export function expectLinearizable(initialValue: string, calls: readonly RecordCall[]): void {
  const initialWrite = {
    kind: 'write',
    value: initialValue,
    startedAt: -Infinity,
    endedAt: -Infinity,
  } as const
  const all = [...Map.groupBy([initialWrite, ...calls], ({ value }) => value)].map(([value, group]) =>
    summarizeCalls(value, group),
  )
  // From the end of its first call to the start of its last call, the record had this value and no other.
  const spans = all
    .filter(({ firstEnd, lastStart }) => firstEnd < lastStart)
    .toSorted((a, b) => a.firstEnd - b.firstEnd)
  for (const [index, span] of spans.entries()) {
    const next = spans[index + 1]
    if (next && next.firstEnd < span.lastStart)
      throw new Error(
        `"${span.value}" was read after "${next.value}" had replaced it, or the other way round.`,
      )
  }
  for (const { value, firstEnd, lastStart } of all) {
    if (firstEnd < lastStart) continue
    const span = findLastBefore(spans, lastStart)
    if (span && firstEnd < span.lastStart)
      throw new Error(`"${value}" was read or written while the value was "${span.value}".`)
  }
}

function summarizeCalls(value: string, calls: readonly RecordCall[]): ValueCalls {
  const write = calls.find(({ kind }) => kind === 'write')
  if (!write) throw new Error(`"${value}" was read and never written.`)
  const firstEnd = Math.min(...calls.map(({ endedAt }) => endedAt))
  if (firstEnd < write.startedAt) throw new Error(`"${value}" was read before it was written.`)
  return { value, firstEnd, lastStart: Math.max(...calls.map(({ startedAt }) => startedAt)) }
}

/** Returns the last span that began before `time`. Spans do not overlap, so no other can contain it. */
function findLastBefore(spans: readonly ValueCalls[], time: number): ValueCalls | undefined {
  let [low, high] = [0, spans.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (spans[middle]!.firstEnd < time) low = middle + 1
    else high = middle
  }
  return spans[low - 1]
}
