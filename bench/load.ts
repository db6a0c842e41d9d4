import { type Answer, runRequests } from './connection.ts'

/** The load generator: a process of its own that is told by message what to ask, and answers with what it saw. */
export interface Job {
  /** Connections are spread over them in turn. */
  readonly ports: readonly number[]
  readonly token: string
  readonly connections: number
  readonly seconds: number
  /** Asked in turn by all connections together, over and over. */
  readonly requests: readonly Ask[]
  /** What every answer must be; the first other one ends the job. */
  readonly status: number
}

export interface Ask {
  readonly method: 'GET' | 'POST' | 'PATCH'
  readonly path: string
  readonly body?: object
}

export interface Sample {
  /** Answers a second. */
  readonly rate: number
  /** Median milliseconds from the request's first byte out to the answer's last byte in. */
  readonly latency: number
}

export type Outcome = { readonly sample: Sample } | { readonly error: string }

const GRACE_SECONDS = 15

process.on('message', (job: Job) => {
  run(job).then(
    (sample) => process.send!({ sample } satisfies Outcome),
    (error: unknown) =>
      process.send!({ error: error instanceof Error ? error.message : String(error) } satisfies Outcome),
  )
})

async function run({ ports, token, connections, seconds, requests, status }: Job): Promise<Sample> {
  const bytes = requests.map((each) => bytesOf(each, token))
  const latencies: number[] = []
  const began = performance.now()
  const end = began + seconds * 1000
  let asked = 0

  function next(): Buffer | undefined {
    if (performance.now() >= end) return undefined
    const request = bytes[asked % bytes.length]
    asked += 1
    return request
  }

  function answered(answer: Answer): void {
    if (answer.status !== status)
      throw new Error(`${answer.status} instead of ${status}: ${answer.body.toString('utf8', 0, 500)}`)
    latencies.push(answer.ms)
  }

  await inTime(
    Promise.all(
      Array.from({ length: connections }, (_, index) =>
        runRequests({ port: ports[index % ports.length]!, next, answered }),
      ),
    ),
    seconds + GRACE_SECONDS,
  )
  const elapsed = (performance.now() - began) / 1000
  return {
    rate: latencies.length / elapsed,
    latency: Float64Array.from(latencies).sort()[latencies.length >> 1]!,
  }
}

async function inTime(work: Promise<unknown>, seconds: number): Promise<void> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => reject(new Error(`The server did not answer within ${GRACE_SECONDS} seconds.`)),
    seconds * 1000,
  )
  try {
    await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

function bytesOf({ method, path, body }: Ask, token: string): Buffer {
  const head = `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n`
  if (body === undefined) return Buffer.from(`${head}\r\n`)
  const text = JSON.stringify(body)
  return Buffer.from(
    `${head}Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
  )
}
