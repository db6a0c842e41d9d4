import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { limitSlowReaders } from '../../src/process/slow-readers.ts'

const MIB = 1_048_576
/** More than the system keeps of it on its way: the rest waits in the process. */
const LARGE = 16 * MIB

async function openTestService(mostHeld: number) {
  const untaken = limitSlowReaders(mostHeld)
  const server = createServer((_, outgoing) => {
    outgoing.end(Buffer.alloc(LARGE))
    untaken.watch(outgoing)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo

  /** Asks, and takes no more than the beginning of the answer before `takeAll`. */
  return async function ask() {
    const socket = connect(port, '127.0.0.1')
    let taken = 0
    const over = new Promise<number>((resolve) => {
      socket.on('close', () => resolve(taken))
    })
    socket.on('error', () => {})
    socket.write('GET / HTTP/1.1\r\nHost: crm.example\r\nConnection: close\r\n\r\n')
    await once(socket, 'readable')
    return {
      takeAll(): Promise<number> {
        socket.on('data', (bytes) => {
          taken += bytes.length
        })
        return over
      },
    }
  }
}

test('of answers that nobody takes the oldest are given up once all together hold too much', async () => {
  const ask = await openTestService(2 * LARGE)
  const callers = []
  for (let nth = 0; nth < 6; nth += 1) callers.push(await ask())
  const taken = []
  for (const { takeAll } of callers) taken.push(await takeAll())
  expect(taken[0]).toBeLessThan(LARGE)
  expect(taken[5]).toBeGreaterThan(LARGE)
})

test('whoever takes its answers is not in the way, however many there are', async () => {
  const ask = await openTestService(2 * LARGE)
  for (let nth = 0; nth < 6; nth += 1) expect(await (await ask()).takeAll()).toBeGreaterThan(LARGE)
})
