import { memoryStorage } from '@sales-crm/core/memory'
import { expect, test } from 'vitest'
import { openConnection, serveOnSocket } from '../support/raw-http.ts'
import { openService } from '../support/test-service.ts'

const HOST = 'Host: crm.example\r\n'
const READY = `GET /readyz HTTP/1.1\r\n${HOST}\r\n`

/** A service whose `/readyz` responses are released one by one, and that counts its requests. */
async function openBlockingService() {
  const blocked: (() => void)[] = []
  let requestCount = 0
  let onRequest: () => void = () => {}
  const { port } = await serveOnSocket(
    await openService(memoryStorage(), {
      check: () => {
        requestCount += 1
        onRequest()
        return new Promise<void>((resolve) => blocked.push(resolve))
      },
    }),
  )
  return {
    port,
    requestCount: () => requestCount,
    nextRequest: () => new Promise<void>((resolve) => (onRequest = resolve)),
    releaseOne: () => blocked.shift()!(),
  }
}

test('handles pipelined requests one after another', async () => {
  const { port, requestCount, nextRequest, releaseOne } = await openBlockingService()
  const first = nextRequest()
  const connection = await openConnection(port)
  connection.send(READY.repeat(3))
  await first
  for (let count = 1; count <= 3; count += 1) {
    const otherConnection = await openConnection(port)
    otherConnection.send(`GET /healthz HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`)
    await otherConnection.readResponse()
    expect(requestCount()).toBe(count)
    const next = nextRequest()
    releaseOne()
    expect((await connection.readResponse()).status).toBe(200)
    if (count < 3) await next
  }
})

test('handles each pipelined request in another turn of the event loop', async () => {
  let turn = 0
  let isOver = false
  const countTurns = () => {
    turn += 1
    if (!isOver) setImmediate(countTurns)
  }
  const turns: number[] = []
  const check = async () => void turns.push(turn)
  const { port } = await serveOnSocket(await openService(memoryStorage(), { check }))
  const connection = await openConnection(port)
  setImmediate(countTurns)
  connection.send(READY.repeat(10))
  for (let count = 0; count < 10; count += 1) await connection.readResponse()
  isOver = true
  expect(new Set(turns).size).toBe(10)
})

test('drops pipelined requests of a closed connection', async () => {
  const { port, requestCount, nextRequest, releaseOne } = await openBlockingService()
  const first = nextRequest()
  const closedConnection = await openConnection(port)
  closedConnection.send(READY.repeat(2))
  await first
  closedConnection.destroy()
  const second = nextRequest()
  const connection = await openConnection(port)
  connection.send(READY)
  await second
  releaseOne()
  releaseOne()
  expect((await connection.readResponse()).status).toBe(200)
  expect(requestCount()).toBe(2)
})

test('allows twenty pipelined requests, closes a connection with more, and serves others', async () => {
  const { port, nextRequest, releaseOne } = await openBlockingService()
  const first = nextRequest()
  const connection = await openConnection(port)
  connection.send(READY + `GET /healthz HTTP/1.1\r\n${HOST}\r\n`.repeat(19))
  await first
  releaseOne()
  for (let count = 0; count < 20; count += 1) expect((await connection.readResponse()).status).toBe(200)

  const floodingConnection = await openConnection(port)
  floodingConnection.send(READY + `GET /healthz HTTP/1.1\r\n${HOST}\r\n`.repeat(20))
  await floodingConnection.waitForClose().catch(() => {})
  connection.send(`GET /healthz HTTP/1.1\r\n${HOST}\r\n`)
  expect((await connection.readResponse()).status).toBe(200)
})
