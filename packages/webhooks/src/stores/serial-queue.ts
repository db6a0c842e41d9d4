/** Runs jobs one at a time, in order. */
export type SerialQueue = <Result>(work: () => Promise<Result>) => Promise<Result>

export function createSerialQueue(): SerialQueue {
  let tail: Promise<unknown> = Promise.resolve()
  return (work) => {
    const run = tail.then(work)
    tail = run.catch(() => undefined)
    return run
  }
}
