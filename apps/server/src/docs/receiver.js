import { createHmac, timingSafeEqual } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import http from 'node:http'
import https from 'node:https'
import { buffer } from 'node:stream/consumers'

const secret = process.env.WEBHOOK_SECRET
const tls = existsSync('cert.pem') && { cert: readFileSync('cert.pem'), key: readFileSync('key.pem') }

async function receive(request, response) {
  const body = await buffer(request)
  const expected = Buffer.from(`sha256=${createHmac('sha256', secret).update(body).digest('hex')}`)
  const given = Buffer.from(request.headers['webhook-signature'] ?? '')
  const signed = given.length === expected.length && timingSafeEqual(given, expected)
  console.log(signed ? `Received ${JSON.parse(body).event}` : 'Refused: not signed with the secret')
  response.writeHead(signed ? 200 : 401).end()
}

if (secret?.startsWith('whsec_') !== true) throw new Error('WEBHOOK_SECRET is not set.')
const server = tls ? https.createServer(tls, receive) : http.createServer(receive)
server.listen(8443, '127.0.0.1', () => console.log(`Listening at ${tls ? 'https' : 'http'}://localhost:8443`))
