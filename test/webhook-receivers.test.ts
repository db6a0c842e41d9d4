import { execFileSync } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { sign as octokitSign } from '@octokit/webhooks-methods'
import { nodePorts } from '@sales-crm/node'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { codeBlock } from './code-block.ts'
import { deliver, type Receiver, startReceiver } from './webhook-receiver.ts'

const SECRET = `whsec_${'5ec2e7'.repeat(10)}abcd`
const PROGRAMS = inject('programs')
const OPENSSL = PROGRAMS.includes('openssl')

const EXAMPLES = [
  { language: 'js', program: process.execPath, args: ['--input-type=module', '-e'], isInstalled: true },
  { language: 'python', program: 'python3', args: ['-c'], isInstalled: PROGRAMS.includes('python3') },
] as const

describe.each(EXAMPLES)(
  'the receiver in $language of docs/webhooks.md',
  ({ language, program, args, isInstalled }) => {
    const source = codeBlock('docs/webhooks.md', 'Receivers to copy', language)
    let receiver: Receiver

    beforeAll(async () => {
      if (isInstalled) receiver = await startReceiver(program, args, source, SECRET)
    })
    afterAll(() => receiver?.stop())

    test.skipIf(!isInstalled)("accepts the service's signature, and handles each id once", async () => {
      const body = personCreated('signed-by-us', 'Ana \u2028 "/" 12345678901234567890 😀')
      const signature = `sha256=${nodePorts().secrets.sign(body, SECRET)}`
      expect([await deliver(receiver, body, signature), await deliver(receiver, body, signature)]).toEqual([
        200, 200,
      ])
      expect(await newLines(receiver)).toEqual(['New: Ana \u2028 "/" 12345678901234567890 😀'])
    })

    test.skipIf(!isInstalled)('accepts signatures of other libraries', async () => {
      const byNode = personCreated('signed-by-node', 'Ben')
      const byOctokit = personCreated('signed-by-octokit', 'Cléa')
      expect(await deliver(receiver, byNode, signBody(byNode))).toBe(200)
      expect(await deliver(receiver, byOctokit, await octokitSign(SECRET, byOctokit))).toBe(200)
      expect(await newLines(receiver)).toEqual(['New: Ben', 'New: Cléa'])
    })

    test.skipIf(!isInstalled || !OPENSSL)('accepts a signature of openssl', async () => {
      const body = personCreated('signed-by-openssl', 'Dora')
      const printed = execFileSync('openssl', ['dgst', '-sha256', '-hmac', SECRET, '-r'], {
        input: body,
        encoding: 'utf8',
      })
      expect(await deliver(receiver, body, `sha256=${printed.split(' ')[0]}`)).toBe(200)
      expect(await newLines(receiver)).toEqual(['New: Dora'])
    })

    test.skipIf(!isInstalled)(
      'rejects an altered body, and one without a signature or signed with another key',
      async () => {
        const body = personCreated('forged', 'Eve')
        const right = signBody(body)
        const wrong = [
          undefined,
          '',
          'sha256=',
          right.slice('sha256='.length),
          right.slice(0, -1),
          `${right}0`,
          right.replace('sha256=', 'sha1='),
          `${right.slice(0, -1)}${right.endsWith('0') ? '1' : '0'}`,
          signBody(body, ''),
          signBody(body, SECRET.slice('whsec_'.length)),
          `${right.slice(0, -2)}é`,
        ]
        for (const signature of wrong) expect(await deliver(receiver, body, signature), signature).toBe(401)
        expect(await deliver(receiver, `${body} `, right)).toBe(401)
        expect(await deliver(receiver, '', undefined)).toBe(401)
        expect(await newLines(receiver)).toEqual([])
      },
    )

    test.skipIf(!isInstalled)('responds with 200 to an unknown event', async () => {
      const body = JSON.stringify({ id: 'unknown', event: 'planet.discovered', version: 'v1', planet: {} })
      expect(await deliver(receiver, body, signBody(body))).toBe(200)
      expect(await newLines(receiver)).toEqual([])
    })

    test.skipIf(!isInstalled)('keeps serving after an oversized body and a failing one', async () => {
      expect(await deliver(receiver, new Uint8Array(10_000_001), `sha256=${'0'.repeat(64)}`)).not.toBe(200)
      expect(await deliver(receiver, 'no JSON', signBody('no JSON'))).not.toBe(200)
      const after = personCreated('after', 'Finn')
      expect(await deliver(receiver, after, signBody(after))).toBe(200)
      expect(await newLines(receiver)).toEqual(['New: Finn'])
    })

    test.skipIf(!isInstalled)('does not start without its secret', async () => {
      await expect(startReceiver(program, args, source, '')).rejects.toThrow('WEBHOOK_SECRET is not set.')
    })
  },
)

function personCreated(id: string, full_name: string): string {
  return JSON.stringify({
    id,
    event: 'person.created',
    version: 'v1',
    created_at: '2026-03-01T12:00:00.000Z',
    person: { full_name },
  })
}

function signBody(body: string, secret = SECRET): string {
  return `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
}

/** The number of lines read of each receiver. */
const linesRead = new WeakMap<Receiver, number>()

/** Returns the lines printed since the last call. An additional delivery marks the end of the output. */
async function newLines(receiver: Receiver): Promise<string[]> {
  const read = linesRead.get(receiver) ?? 0
  const marker = personCreated(`marker-${read}`, `marker ${read}`)
  await deliver(receiver, marker, signBody(marker))
  await expect.poll(() => receiver.lines().at(-1)).toBe(`New: marker ${read}`)
  const lines = receiver.lines()
  linesRead.set(receiver, lines.length)
  return lines.slice(read, -1)
}
