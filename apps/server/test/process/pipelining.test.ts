import { memoryStorage } from '@sales-crm/core/memory'
import { expect, test } from 'vitest'
import { openConnection, serveOnSocket } from '../support/raw-http.ts'
import { openService } from '../support/test-service.ts'

const HOST = 'Host: crm.example\r\n'
const READY = `GET /readyz HTTP/1.1\r\n${HOST}\r\n`

/** A service whose `/readyz` is answered as often as it is let, and that counts how often it was asked. */
async function openHoldingService() {
  const held: (() => void)[] = []
  let asked = 0
  let onAsked: () => void = () => {}
  const { port } = await serveOnSocket(
    await openService(memoryStorage(), {
      check: () => {
        asked += 1
        onAsked()
        return new Promise<void>((resolve) => held.push(resolve))
      },
    }),
  )
  return {
    port,
    asked: () => asked,
    askedAgain: () => new Promise<void>((resolve) => (onAsked = resolve)),
    letOne: () => held.shift()!(),
  }
}

test('of requests sent at once on one connection each is begun when the one ahead of it was answered', async () => {
  const { port, asked, askedAgain, letOne } = await openHoldingService()
  const first = askedAgain()
  const line = await openConnection(port)
  line.send(READY.repeat(3))
  await first
  for (let turn = 1; turn <= 3; turn += 1) {
    const other = await openConnection(port)
    other.send(`GET /healthz HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`)
    await other.readResponse()
    expect(asked()).toBe(turn)
    const next = askedAgain()
    letOne()
    expect((await line.readResponse()).status).toBe(200)
    if (turn < 3) await next
  }
})

test('what waits on a connection that is gone is never begun', async () => {
  const { port, asked, askedAgain, letOne } = await openHoldingService()
  const first = askedAgain()
  const gone = await openConnection(port)
  gone.send(READY.repeat(2))
  await first
  gone.destroy()
  const second = askedAgain()
  const line = await openConnection(port)
  line.send(READY)
  await second
  letOne()
  letOne()
  expect((await line.readResponse()).status).toBe(200)
  expect(asked()).toBe(2)
})

test('a hundred requests may wait on a connection; one with more is ended, and others are served', async () => {
  const { port, askedAgain, letOne } = await openHoldingService()
  const first = askedAgain()
  const line = await openConnection(port)
  line.send(READY + `GET /healthz HTTP/1.1\r\n${HOST}\r\n`.repeat(99))
  await first
  letOne()
  for (let answers = 0; answers < 100; answers += 1) expect((await line.readResponse()).status).toBe(200)

  const flooding = await openConnection(port)
  flooding.send(READY + `GET /healthz HTTP/1.1\r\n${HOST}\r\n`.repeat(100))
  await flooding.waitForClose().catch(() => {})
  line.send(`GET /healthz HTTP/1.1\r\n${HOST}\r\n`)
  expect((await line.readResponse()).status).toBe(200)
})
