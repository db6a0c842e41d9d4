import { type MessagePort, Worker } from 'node:worker_threads'

/** Functions that a thread runs, by name. Arguments and results must be cloneable. */
export type Tasks = Readonly<Record<string, (argument: never) => unknown>>

type Argument<T extends Tasks, Name extends keyof T> = Parameters<T[Name]>[0]
type Result<T extends Tasks, Name extends keyof T> = Awaited<ReturnType<T[Name]>>

type RequestMessage = readonly [id: number, name: string, argument: unknown]
type ResponseMessage = readonly [id: number, result: unknown, error: unknown]

/**
 * Runs functions in a worker thread, one after another, so that they do not block the event loop. The thread starts
 * with the first call, does not keep the process alive while idle, and is replaced if it ends.
 */
export class TaskThread<T extends Tasks> {
  readonly #url: URL
  readonly #pending = new Map<number, PromiseWithResolvers<unknown>>()
  #worker: Worker | undefined
  #lastId = 0

  /** @param url a module that calls `serveTasks` with the functions */
  constructor(url: URL) {
    this.#url = url
  }

  /**
   * Rejects with what the function throws, as an `Error`.
   * @param transfer buffers that are moved to the thread rather than copied
   */
  run<Name extends keyof T & string>(
    name: Name,
    argument: Argument<T, Name>,
    transfer: readonly ArrayBuffer[] = [],
  ): Promise<Result<T, Name>> {
    this.#worker ??= this.#start()
    this.#lastId += 1
    this.#worker.postMessage([this.#lastId, name, argument] satisfies RequestMessage, transfer)
    const response = Promise.withResolvers<unknown>()
    this.#pending.set(this.#lastId, response)
    if (this.#pending.size === 1) this.#worker.ref()
    return response.promise as Promise<Result<T, Name>>
  }

  /** Ends what runs and what waits: their calls reject. The next call starts another thread. */
  terminate(): void {
    void this.#worker?.terminate()
  }

  #start(): Worker {
    const worker = new Worker(this.#url, { name: 'tasks' })
    let failure: unknown = new Error('The thread of a task ended by itself.')
    worker.on('message', (message: ResponseMessage) => this.#settle(message))
    worker.on('error', (error) => {
      failure = error
    })
    worker.on('exit', () => {
      if (this.#worker === worker) this.#worker = undefined
      for (const { reject } of this.#pending.values()) reject(failure)
      this.#pending.clear()
    })
    worker.unref()
    return worker
  }

  #settle([id, result, error]: ResponseMessage): void {
    const response = this.#pending.get(id)
    this.#pending.delete(id)
    if (this.#pending.size === 0) this.#worker?.unref()
    if (error === undefined) response?.resolve(result)
    else response?.reject(error)
  }
}

/** Runs the functions that the messages name, in order. */
export function serveTasks(port: MessagePort, tasks: Tasks): void {
  let previous: Promise<void> = Promise.resolve()
  port.on('message', ([id, name, argument]: RequestMessage) => {
    previous = previous.then(async () => port.postMessage(await runTask(tasks, id, name, argument)))
  })
}

async function runTask(tasks: Tasks, id: number, name: string, argument: unknown): Promise<ResponseMessage> {
  try {
    return [id, await tasks[name]!(argument as never), undefined]
  } catch (error) {
    return [id, undefined, error instanceof Error ? error : new Error(String(error))]
  }
}
