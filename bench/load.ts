import { type HttpResponse, runRequests } from './connection.ts'

/** The load generator, as a process of its own: it receives jobs by message and replies with a sample. */
export interface Job {
  /** Connections are distributed over the ports in turn. */
  readonly ports: readonly number[]
  readonly token: string
  readonly connections: number
  readonly seconds: number
  /** All connections together send these in a cycle. */
  readonly requests: readonly RequestSpec[]
  /** The expected status. The first response with another status ends the job. */
  readonly status: number
}

export interface RequestSpec {
  readonly method: 'GET' | 'POST' | 'PATCH'
  readonly path: string
  readonly body?: object
}

export interface Sample {
  /** Responses per second. */
  readonly rate: number
  /** Median milliseconds from the first byte sent to the last byte received. */
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
  const encodedRequests = requests.map((each) => encodeRequest(each, token))
  const latencies: number[] = []
  const startedAt = performance.now()
  const endsAt = startedAt + seconds * 1000
  let sentCount = 0

  function next(): Buffer | undefined {
    if (performance.now() >= endsAt) return undefined
    const request = encodedRequests[sentCount % encodedRequests.length]
    sentCount += 1
    return request
  }

  function onResponse(response: HttpResponse): void {
    if (response.status !== status)
      throw new Error(`${response.status} instead of ${status}: ${response.body.toString('utf8', 0, 500)}`)
    latencies.push(response.ms)
  }

  await withDeadline(
    Promise.all(
      Array.from({ length: connections }, (_, index) =>
        runRequests({ port: ports[index % ports.length]!, next, onResponse }),
      ),
    ),
    seconds + GRACE_SECONDS,
  )
  const elapsed = (performance.now() - startedAt) / 1000
  return {
    rate: latencies.length / elapsed,
    latency: Float64Array.from(latencies).sort()[latencies.length >> 1]!,
  }
}

async function withDeadline(work: Promise<unknown>, seconds: number): Promise<void> {
  const { promise: timeout, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => reject(new Error(`The server did not respond within ${GRACE_SECONDS} seconds.`)),
    seconds * 1000,
  )
  try {
    await Promise.race([work, timeout])
  } finally {
    clearTimeout(timer)
  }
}

function encodeRequest({ method, path, body }: RequestSpec, token: string): Buffer {
  const head = `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${token}\r\n`
  if (body === undefined) return Buffer.from(`${head}\r\n`)
  const text = JSON.stringify(body)
  return Buffer.from(
    `${head}Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
  )
}
