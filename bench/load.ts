import { encodeRequest, type HttpResponse, type RequestSpec, runRequests } from './connection.ts'
import { serveJobs } from './jobs.ts'
import { median } from './rounds.ts'

/** A job of the load generator, which is a process of its own. */
export interface LoadJob {
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

export interface Sample {
  /** Responses per second. */
  readonly rate: number
  /** Median milliseconds from the first byte sent to the last byte received. */
  readonly latency: number
}

const GRACE_MS = 15_000

serveJobs(run)

async function run({ ports, token, connections, seconds, requests, status }: LoadJob): Promise<Sample> {
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

  const { promise: timeout, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error('The server does not respond.')), seconds * 1000 + GRACE_MS)
  const connectionLoops = Array.from({ length: connections }, (_, index) =>
    runRequests({ port: ports[index % ports.length]!, next, onResponse }),
  )
  await Promise.race([Promise.all(connectionLoops), timeout])
  clearTimeout(timer)
  const elapsed = (performance.now() - startedAt) / 1000
  return { rate: latencies.length / elapsed, latency: median(latencies) }
}
