import { createServer } from 'node:http'
import express, { type ErrorRequestHandler } from 'express'
import { expect, test } from 'vitest'
import { nodeReceiver } from '../../src/adapters/node.ts'
import { personCreated } from '../deliveries.ts'
import { deliver, listen, openReceiver } from './adapter-harness.ts'
import { describeAdapter } from './describe-adapter.ts'

describeAdapter('Express', (receiver) =>
  listen(createServer(express().post('/webhooks', nodeReceiver(receiver)).use(express.json()))),
)

describeAdapter('Express with express.raw()', (receiver) =>
  listen(
    createServer(
      express().post('/webhooks', express.raw({ type: () => true, limit: '10mb' }), nodeReceiver(receiver)),
    ),
  ),
)

test.each([
  ['express.json()', express.json()],
  ['express.text()', express.text({ type: '*/*' })],
])('the error for a body that %s has parsed goes to the error handler of Express', async (_, parser) => {
  const messages: string[] = []
  const handleError: ErrorRequestHandler = (error, _request, response, _next) => {
    messages.push(error.message)
    response.status(500).end('Failed.')
  }
  const { receiver, names } = openReceiver()
  const url = await listen(
    createServer(express().use(parser).post('/webhooks', nodeReceiver(receiver)).use(handleError)),
  )
  expect(await deliver(url, personCreated('parsed'))).toEqual({ status: 500, text: 'Failed.' })
  expect(messages).toEqual([expect.stringContaining('Mount the receiver before the body parser')])
  expect(names).toEqual([])
})

test('a parser that does not parse the content type does not disturb', async () => {
  const { receiver, names } = openReceiver()
  const url = await listen(
    createServer(express().use(express.urlencoded()).post('/webhooks', nodeReceiver(receiver))),
  )
  expect((await deliver(url, personCreated('unparsed'))).status).toBe(200)
  expect(names).toEqual(['Ana'])
})
