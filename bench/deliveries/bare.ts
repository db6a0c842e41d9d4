import { Agent, request } from 'undici'
import type { Send } from './sender.ts'

/** As the service has it: for one host, and for one workspace. */
const MOST_PER_HOST = 32
const MOST = 128

/** How many connections the service has to so many hosts. */
export function connectionsTo(hosts: number): number {
  return Math.min(hosts * MOST_PER_HOST, MOST)
}

/** Sends one body again and again, with nothing around it: what the service's sending is compared with. */
export function bareClient(port: number, connections: number, body: string, ca: string): Send {
  const url = `https://127.0.0.1:${port}/`
  const agent = new Agent({ connections, allowH2: false, connect: { ca } })
  const headers = { 'content-type': 'application/json', 'webhook-signature': `sha256=${'0'.repeat(64)}` }

  return async (count) => {
    let left = count
    async function sendInTurn(): Promise<void> {
      while (left > 0) {
        left -= 1
        const answer = await request(url, { method: 'POST', dispatcher: agent, headers, body })
        if (answer.statusCode !== 200) throw new Error(`The receiver answered ${answer.statusCode}.`)
        await answer.body.dump()
      }
    }
    const began = performance.now()
    await Promise.all(Array.from({ length: connections }, sendInTurn))
    return performance.now() - began
  }
}
