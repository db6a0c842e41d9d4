import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type Mail, smtpMailer } from '../../src/index.ts'
import { startMailServer } from './mail-server.ts'

const FROM = 'Sales CRM <crm@crm.example>'
const LINK = `https://crm.example/credentials/crm_ln_${'0123456789abcdef'.repeat(6)}`
const MAIL: Mail = {
  to: 'ana@acme.example',
  subject: 'Sua senha: é só clicar 🎉',
  text: `Olá, João!\n\n${LINK}\n`,
  html: `<!doctype html><html lang="pt-BR"><body><p>Olá, João!</p><p><a href="${LINK}">Abrir</a></p></body></html>`,
}
const PASSWORD = 'hunter2/é:@'
const CREDENTIALS = `mailer:${encodeURIComponent(PASSWORD)}@`

function mailerFor(
  port: number,
  { scheme = 'smtp', credentials = '', query = '', from = FROM, timeouts = {} } = {},
) {
  const mailer = smtpMailer({
    url: `${scheme}://${credentials}127.0.0.1:${port}${query}`,
    from,
    timeouts,
  })
  onTestFinished(() => mailer.close())
  return mailer
}

/** The reason a promise rejects with. */
async function catchError(promise: Promise<unknown>): Promise<Error & { readonly code?: string }> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(Error)
  return error as Error
}

describe('smtpMailer', () => {
  test('sends text, HTML and a subject in any script', async () => {
    const { port, received } = await startMailServer()
    expect(await mailerFor(port).send(MAIL)).toEqual({})
    expect(received).toHaveLength(1)
    const [{ envelope, email }] = received as [(typeof received)[number]]
    expect(envelope).toEqual({ from: 'crm@crm.example', to: ['ana@acme.example'] })
    expect(email.from).toMatchObject({ name: 'Sales CRM', address: 'crm@crm.example' })
    expect(email.to).toMatchObject([{ name: '', address: 'ana@acme.example' }])
    expect(email.subject).toBe(MAIL.subject)
    expect(email.text?.trim()).toBe(MAIL.text.trim())
    expect(email.html?.trim()).toBe(MAIL.html)
    expect(email.attachments).toEqual([])
    expect(email.headers).toContainEqual(
      expect.objectContaining({ key: 'auto-submitted', value: 'auto-generated' }),
    )
  })

  test('reuses the connection for consecutive mails', async () => {
    const { port, received, countConnections } = await startMailServer()
    const mailer = mailerFor(port)
    for (const subject of ['One', 'Two', 'Three']) await mailer.send({ ...MAIL, subject })
    expect(received.map(({ email }) => email.subject)).toEqual(['One', 'Two', 'Three'])
    expect(countConnections()).toBe(1)
  })

  test.each([
    'Hello\r\nBcc: eve@evil.example',
    'Hello\nBcc: eve@evil.example',
    'Hello\r\n\r\n<p>body</p>',
    'Hello\u2028Bcc: eve@evil.example',
  ])('does not allow a subject to add headers: %j', async (subject) => {
    const { port, received } = await startMailServer()
    await mailerFor(port).send({ ...MAIL, subject })
    const [{ envelope, email }] = received as [(typeof received)[number]]
    expect(envelope.to).toEqual(['ana@acme.example'])
    expect(email.headers.map(({ key }) => key)).not.toContain('bcc')
    expect(email.subject).toMatch(/^Hello (Bcc: eve@evil\.example|<p>body<\/p>)$/)
    expect(email.text?.trim()).toBe(MAIL.text.trim())
  })

  test.each([
    'a@b.example\r\nBcc: x@y.example',
    '"x" <a@b.example>',
    'a@good.example(x)evil.example',
    'a@good.example,b@evil.example',
    'a@[127.0.0.1]',
    '"a b"@c.example',
    'a@b@c.example',
    '@b.example',
    `${'a'.repeat(65)}@b.example`,
    `a@${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.${'e'.repeat(60)}.${'f'.repeat(30)}`,
    '',
  ])('rejects a recipient that is not exactly one address, without connecting: %j', async (to) => {
    const { port, countConnections } = await startMailServer()
    await expect(mailerFor(port).send({ ...MAIL, to })).rejects.toThrow(
      new Error('The recipient is no e-mail address.'),
    )
    expect(countConnections()).toBe(0)
  })

  test('sends references to files and URLs unchanged', async () => {
    const { port, received } = await startMailServer()
    const html = '<img src="file:///etc/passwd"><link href="https://evil.example">'
    await mailerFor(port).send({ ...MAIL, html })
    expect(received[0]?.email).toMatchObject({ html: expect.stringContaining(html), attachments: [] })
  })

  test('uses STARTTLS when the server offers it', async () => {
    const { port, received } = await startMailServer()
    await mailerFor(port).send(MAIL)
    expect(received[0]?.secure).toBe(true)
  })

  test('sends without TLS to a server that offers none, unless TLS is required', async () => {
    const { port, received } = await startMailServer({ hideSTARTTLS: true, disabledCommands: ['STARTTLS'] })
    await mailerFor(port).send(MAIL)
    expect(received[0]?.secure).toBe(false)
    await expect(mailerFor(port, { query: '?requireTLS=true' }).send(MAIL)).rejects.toThrow(
      /^Mail server 127\.0\.0\.1:\d+: /,
    )
    expect(received).toHaveLength(1)
  })

  test('requires a trusted certificate when TLS is required', async () => {
    const startTlsServer = await startMailServer()
    const implicitTlsServer = await startMailServer({ secure: true })
    for (const mailer of [
      mailerFor(startTlsServer.port, { query: '?requireTLS=true' }),
      mailerFor(implicitTlsServer.port, { scheme: 'smtps' }),
    ])
      await expect(mailer.send(MAIL)).rejects.toThrow(/self-signed certificate/)
    expect([...startTlsServer.received, ...implicitTlsServer.received]).toEqual([])
  })

  test('authenticates with the user and password of the URL', async () => {
    const { port, received } = await startMailServer({
      onAuth({ username, password }, _, done) {
        if (username === 'mailer' && password === PASSWORD) done(null, { user: username })
        else done(new Error('No such user'))
      },
    })
    const mailer = mailerFor(port, { credentials: CREDENTIALS })
    await mailer.verify()
    await mailer.send(MAIL)
    expect(received[0]?.user).toBe('mailer')
    const error = await catchError(mailerFor(port, { credentials: 'mailer:wrong@' }).verify())
    expect(error).toMatchObject({
      code: 'EAUTH',
      message: expect.stringMatching(/^Mail server 127\.0\.0\.1:\d+: Invalid login/),
    })
  })

  test('removes the password from errors, even when the server repeats it', async () => {
    const encodings = [
      PASSWORD,
      encodeURIComponent(PASSWORD),
      base64(PASSWORD),
      base64(`\0mailer\0${PASSWORD}`),
    ]
    const { port } = await startMailServer({
      onAuth: (_, __, done) => done(new Error(`Wrong: ${encodings.join(' or ')}`)),
    })
    const mailer = mailerFor(port, { credentials: CREDENTIALS })
    for (const error of [await catchError(mailer.verify()), await catchError(mailer.send(MAIL))]) {
      expect(error.message).toContain('Invalid login')
      for (const encoding of encodings) expect(printError(error)).not.toContain(encoding)
    }
  })

  test('removes the recipient from the error of a rejected recipient', async () => {
    const { port, received } = await startMailServer({
      onRcptTo: ({ address }, _, done) =>
        done(Object.assign(new Error(`<${address}> No such mailbox here`), { responseCode: 550 })),
    })
    const error = await catchError(mailerFor(port).send(MAIL))
    expect(error).toMatchObject({
      code: 'EENVELOPE',
      message: expect.stringContaining('550 <…@acme.example> No such mailbox here'),
    })
    expect(printError(error)).not.toContain('ana@')
    expect(received).toEqual([])
  })

  test('removes links from the error of a rejected message', async () => {
    const { port } = await startMailServer({
      onData(stream, _, done) {
        stream
          .on('end', () =>
            done(Object.assign(new Error(`Blocked: ${LINK} (${LINK.slice(32)})`), { responseCode: 554 })),
          )
          .resume()
      },
    })
    const error = await catchError(mailerFor(port).send(MAIL))
    expect(error.message).toContain('554 Blocked: [link]')
    expect(printError(error)).not.toMatch(/crm_ln_|0123456789abcdef/)
  })

  test('rejects when the server is unreachable', async () => {
    const { port } = await portOf(createServer().listen(0, '127.0.0.1'), true)
    const mailer = mailerFor(port, { credentials: CREDENTIALS })
    for (const error of [await catchError(mailer.send(MAIL)), await catchError(mailer.verify())]) {
      expect(error.message).toMatch(/^Mail server 127\.0\.0\.1:\d+: connect ECONNREFUSED/)
      expect(printError(error)).not.toContain('hunter2')
    }
  })

  test('rejects when the server closes the connection or speaks another protocol', async () => {
    const closing = await portOf(createServer((socket) => socket.destroy()).listen(0, '127.0.0.1'))
    const http = await portOf(
      createServer((socket) => socket.on('error', () => {}).write('HTTP/1.1 400 Bad Request\r\n\r\n')).listen(
        0,
        '127.0.0.1',
      ),
    )
    for (const { port } of [closing, http])
      await expect(mailerFor(port).send(MAIL)).rejects.toThrow(/^Mail server 127\.0\.0\.1:\d+: /)
  })

  test('sends again after an outage', async () => {
    let isRejecting = true
    const { port, received } = await startMailServer({
      onMailFrom: (_, __, done) =>
        isRejecting ? done(Object.assign(new Error('Try later'), { responseCode: 451 })) : done(),
    })
    const mailer = mailerFor(port)
    await expect(mailer.send(MAIL)).rejects.toThrow('451 Try later')
    isRejecting = false
    await mailer.send(MAIL)
    expect(received).toHaveLength(1)
  })

  test('aborts a mail that takes too long with a server that replies one byte at a time', async () => {
    const { port, disconnected } = await startScriptedServer('220 slow\r\n250-', true)
    const error = await catchError(mailerFor(port, { timeouts: { mail: 300 } }).send(MAIL))
    expect(error).toMatchObject({
      code: 'EABORT',
      message: `Mail server 127.0.0.1:${port}: Message sending aborted`,
    })
    await disconnected
  })

  // Each case has a later timeout, which would expire if the first one were ignored.
  test.each([
    {
      never: 'greets',
      greeting: '',
      timeouts: { connect: 300, idle: 5000 },
      reason: 'Greeting never received (wrong port, or smtps:// is needed)',
    },
    { never: 'replies', greeting: '220 slow\r\n', timeouts: { idle: 300, mail: 5000 }, reason: 'Timeout' },
  ])('times out when the server never $never', async ({ greeting, timeouts, reason }) => {
    const { port, disconnected } = await startScriptedServer(greeting)
    const mailer = mailerFor(port, { timeouts })
    const expected = { code: 'ETIMEDOUT', message: `Mail server 127.0.0.1:${port}: ${reason}` }
    expect(await catchError(mailer.send(MAIL))).toMatchObject(expected)
    await disconnected
    expect(await catchError(mailer.verify())).toMatchObject(expected)
  })

  test('aborts a mail in progress when it is closed, and may be closed twice', async () => {
    const { port, dataReceived } = await startScriptedServer('220 slow\r\n250-', true)
    const mailer = mailerFor(port)
    const sending = catchError(mailer.send(MAIL))
    await dataReceived
    await mailer.close()
    await mailer.close()
    expect((await sending).message).toMatch(/^Mail server 127\.0\.0\.1:\d+: /)
  })

  test('closes at once when it was never used', async () => {
    await expect(smtpMailer({ url: 'smtp://127.0.0.1:25', from: FROM }).close()).resolves.toBeUndefined()
  })

  test('rejects an invalid URL or sender', () => {
    expect(() => smtpMailer({ url: 'http://mail.example', from: FROM })).toThrow(
      'no address of a mail server',
    )
    expect(() =>
      smtpMailer({ url: 'smtp://mail.example', from: 'Eve <eve@evil.example>\r\nBcc: x@y.example' }),
    ).toThrow('no e-mail address')
  })
})

/** Everything a log could print of an error. */
function printError(error: Error): string {
  return [error.message, error.stack, JSON.stringify(error, Object.getOwnPropertyNames(error))].join('\n')
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64')
}

/**
 * Starts a server that sends a greeting, and then nothing or an endless sequence of dots. `dataReceived`
 * resolves when a client sends data, `disconnected` when a connection closes.
 */
async function startScriptedServer(greeting: string, sendsDots = false) {
  const dataReceived = Promise.withResolvers<void>()
  const disconnected = Promise.withResolvers<void>()
  const { port } = await portOf(
    createServer((socket) => {
      socket.on('error', () => {}).once('data', () => dataReceived.resolve())
      if (greeting !== '') socket.write(greeting)
      const interval = sendsDots ? setInterval(() => socket.write('.'), 20) : undefined
      socket.on('close', () => {
        clearInterval(interval)
        disconnected.resolve()
      })
    }).listen(0, '127.0.0.1'),
  )
  return { port, dataReceived: dataReceived.promise, disconnected: disconnected.promise }
}

async function portOf(server: ReturnType<typeof createServer>, isClosed = false) {
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  if (isClosed) await new Promise((resolve) => server.close(resolve))
  else onTestFinished(() => void server.close())
  return { port }
}
