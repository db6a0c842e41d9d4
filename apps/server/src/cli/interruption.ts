const SIGNALS = ['SIGINT', 'SIGTERM'] as const
/** npm passes a signal on that its command has had already. */
const REPEAT_MS = 1000
/** As a shell reports a command that Ctrl-C has ended. */
const EXIT_CODE = 130

/** Lets a command end its work in order at Ctrl-C. At another one, a second later, the process ends. */
export class Interruption {
  readonly #controller = new AbortController()
  #interruptedAt: number | undefined

  constructor() {
    for (const signal of SIGNALS) process.on(signal, this.#handle)
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  stop(): void {
    for (const signal of SIGNALS) process.off(signal, this.#handle)
  }

  readonly #handle = () => {
    if (this.#interruptedAt === undefined) {
      this.#interruptedAt = performance.now()
      this.#controller.abort()
    } else if (performance.now() - this.#interruptedAt > REPEAT_MS) process.exit(EXIT_CODE)
  }
}
