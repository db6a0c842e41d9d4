import { Agent, request } from 'undici'

/**
 * Creates the comparison for the service's deliveries: undici alone, which sends one body repeatedly.
 * @returns a function that sends `count` bodies
 */
export function createUndiciSend(port: number, connections: number, body: string, ca: string) {
  const agent = new Agent({ connections, allowH2: false, connect: { ca } })
  const headers = { 'content-type': 'application/json', 'webhook-signature': `sha256=${'0'.repeat(64)}` }
  const options = { method: 'POST', dispatcher: agent, headers, body } as const

  return async (count: number): Promise<void> => {
    let remaining = count
    async function sendSequentially(): Promise<void> {
      while (remaining-- > 0) {
        const response = await request(`https://127.0.0.1:${port}/`, options)
        if (response.statusCode !== 200) throw new Error(`The receiver answered ${response.statusCode}.`)
        await response.body.dump()
      }
    }
    await Promise.all(Array.from({ length: connections }, sendSequentially))
  }
}
