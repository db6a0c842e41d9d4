import { Agent, request } from 'undici'
import type { Send } from './send.ts'

/** The service's limits of concurrent deliveries, per host and per workspace. */
const MAX_PER_HOST = 32
const MAX_PER_WORKSPACE = 128

/** Returns the service's maximum number of connections to a number of hosts. */
export function maxConnections(hosts: number): number {
  return Math.min(hosts * MAX_PER_HOST, MAX_PER_WORKSPACE)
}

/** Creates the comparison for the service's deliveries: undici alone, which sends one body repeatedly. */
export function createUndiciSend(port: number, connections: number, body: string, ca: string): Send {
  const url = `https://127.0.0.1:${port}/`
  const agent = new Agent({ connections, allowH2: false, connect: { ca } })
  const headers = { 'content-type': 'application/json', 'webhook-signature': `sha256=${'0'.repeat(64)}` }

  return async (count) => {
    let remaining = count
    async function sendSequentially(): Promise<void> {
      while (remaining > 0) {
        remaining -= 1
        const response = await request(url, { method: 'POST', dispatcher: agent, headers, body })
        if (response.statusCode !== 200) throw new Error(`The receiver answered ${response.statusCode}.`)
        await response.body.dump()
      }
    }
    const startedAt = performance.now()
    await Promise.all(Array.from({ length: connections }, sendSequentially))
    return performance.now() - startedAt
  }
}
