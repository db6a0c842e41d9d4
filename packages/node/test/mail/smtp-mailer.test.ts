import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
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
const SIGNED_IN = `mailer:${encodeURIComponent(PASSWORD)}@`

function mailerFor(
  port: number,
  { scheme = 'smtp', credentials = '', query = '', from = FROM, waits = {} } = {},
) {
  const mailer = smtpMailer({
    url: `${scheme}://${credentials}127.0.0.1:${port}${query}`,
    from,
    timeouts: waits,
  })
  onTestFinished(() => mailer.close())
  return mailer
}

/** What a promise is rejected with. */
async function failure(promise: Promise<unknown>): Promise<Error & { readonly code?: string }> {
  const error = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(Error)
  return error as Error
}

test('a mail arrives with its text, its HTML and a subject in any script', async () => {
  const { port, arrived } = await startMailServer()
  expect(await mailerFor(port).send(MAIL)).toEqual({})
  expect(arrived).toHaveLength(1)
  const [{ envelope, email }] = arrived as [(typeof arrived)[number]]
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

test('mails that follow each other share a connection', async () => {
  const { port, arrived, connections } = await startMailServer()
  const mailer = mailerFor(port)
  for (const subject of ['One', 'Two', 'Three']) await mailer.send({ ...MAIL, subject })
  expect(arrived.map(({ email }) => email.subject)).toEqual(['One', 'Two', 'Three'])
  expect(connections()).toBe(1)
})

test.each([
  'Hello\r\nBcc: eve@evil.example',
  'Hello\nBcc: eve@evil.example',
  'Hello\r\n\r\n<p>body</p>',
  'Hello\u2028Bcc: eve@evil.example',
])('a subject is one header, whatever stands in it: %j', async (subject) => {
  const { port, arrived } = await startMailServer()
  await mailerFor(port).send({ ...MAIL, subject })
  const [{ envelope, email }] = arrived as [(typeof arrived)[number]]
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
])('a recipient that is more or less than an address is refused before a server is asked: %j', async (to) => {
  const { port, connections } = await startMailServer()
  await expect(mailerFor(port).send({ ...MAIL, to })).rejects.toThrow(
    new Error('The recipient is no e-mail address.'),
  )
  expect(connections()).toBe(0)
})

test('what looks like an order to read a file or a page is sent as it is', async () => {
  const { port, arrived } = await startMailServer()
  const html = '<img src="file:///etc/passwd"><link href="https://evil.example">'
  await mailerFor(port).send({ ...MAIL, html })
  expect(arrived[0]?.email).toMatchObject({ html: expect.stringContaining(html), attachments: [] })
})

test('STARTTLS is taken where it is offered', async () => {
  const { port, arrived } = await startMailServer()
  await mailerFor(port).send(MAIL)
  expect(arrived[0]?.secure).toBe(true)
})

test('a server without TLS is written to, unless TLS is insisted on', async () => {
  const { port, arrived } = await startMailServer({ hideSTARTTLS: true, disabledCommands: ['STARTTLS'] })
  await mailerFor(port).send(MAIL)
  expect(arrived[0]?.secure).toBe(false)
  await expect(mailerFor(port, { query: '?requireTLS=true' }).send(MAIL)).rejects.toThrow(
    /^Mail server 127\.0\.0\.1:\d+: /,
  )
  expect(arrived).toHaveLength(1)
})

test('where TLS is insisted on, the certificate must be one that is trusted', async () => {
  const starting = await startMailServer()
  const fromTheFirstByte = await startMailServer({ secure: true })
  for (const mailer of [
    mailerFor(starting.port, { query: '?requireTLS=true' }),
    mailerFor(fromTheFirstByte.port, { scheme: 'smtps' }),
  ])
    await expect(mailer.send(MAIL)).rejects.toThrow(/self-signed certificate/)
  expect([...starting.arrived, ...fromTheFirstByte.arrived]).toEqual([])
})

test('the user and password of the URL are shown to the server', async () => {
  const { port, arrived } = await startMailServer({
    onAuth({ username, password }, _, done) {
      if (username === 'mailer' && password === PASSWORD) done(null, { user: username })
      else done(new Error('No such user'))
    },
  })
  const mailer = mailerFor(port, { credentials: SIGNED_IN })
  await mailer.verify()
  await mailer.send(MAIL)
  expect(arrived[0]?.user).toBe('mailer')
  const refused = await failure(mailerFor(port, { credentials: 'mailer:wrong@' }).verify())
  expect(refused).toMatchObject({
    code: 'EAUTH',
    message: expect.stringMatching(/^Mail server 127\.0\.0\.1:\d+: Invalid login/),
  })
})

test('no password is in an error, though the server repeats it', async () => {
  const forms = [PASSWORD, encodeURIComponent(PASSWORD), base64(PASSWORD), base64(`\0mailer\0${PASSWORD}`)]
  const { port } = await startMailServer({
    onAuth: (_, __, done) => done(new Error(`Wrong: ${forms.join(' or ')}`)),
  })
  const mailer = mailerFor(port, { credentials: SIGNED_IN })
  for (const error of [await failure(mailer.verify()), await failure(mailer.send(MAIL))]) {
    expect(error.message).toContain('Invalid login')
    for (const form of forms) expect(printError(error)).not.toContain(form)
  }
})

test('a server that refuses the recipient is quoted without the recipient', async () => {
  const { port, arrived } = await startMailServer({
    onRcptTo: ({ address }, _, done) =>
      done(Object.assign(new Error(`<${address}> No such mailbox here`), { responseCode: 550 })),
  })
  const error = await failure(mailerFor(port).send(MAIL))
  expect(error).toMatchObject({
    code: 'EENVELOPE',
    message: expect.stringContaining('550 <…@acme.example> No such mailbox here'),
  })
  expect(printError(error)).not.toContain('ana@')
  expect(arrived).toEqual([])
})

test('a server that refuses the message is quoted without the link', async () => {
  const { port } = await startMailServer({
    onData(stream, _, done) {
      stream
        .on('end', () =>
          done(Object.assign(new Error(`Blocked: ${LINK} (${LINK.slice(32)})`), { responseCode: 554 })),
        )
        .resume()
    },
  })
  const error = await failure(mailerFor(port).send(MAIL))
  expect(error.message).toContain('554 Blocked: [link]')
  expect(printError(error)).not.toMatch(/crm_ln_|0123456789abcdef/)
})

test('a server that cannot be reached is an error that says so', async () => {
  const { port } = await portOf(createServer().listen(0, '127.0.0.1'), true)
  const mailer = mailerFor(port, { credentials: SIGNED_IN })
  for (const error of [await failure(mailer.send(MAIL)), await failure(mailer.verify())]) {
    expect(error.message).toMatch(/^Mail server 127\.0\.0\.1:\d+: connect ECONNREFUSED/)
    expect(printError(error)).not.toContain('hunter2')
  }
})

test('a server that hangs up, and one that speaks something else, are errors', async () => {
  const hangingUp = await portOf(createServer((socket) => socket.destroy()).listen(0, '127.0.0.1'))
  const web = await portOf(
    createServer((socket) => socket.on('error', () => {}).write('HTTP/1.1 400 Bad Request\r\n\r\n')).listen(
      0,
      '127.0.0.1',
    ),
  )
  for (const { port } of [hangingUp, web])
    await expect(mailerFor(port).send(MAIL)).rejects.toThrow(/^Mail server 127\.0\.0\.1:\d+: /)
})

test('after an outage the same mailer sends again', async () => {
  let refuse = true
  const { port, arrived } = await startMailServer({
    onMailFrom: (_, __, done) =>
      refuse ? done(Object.assign(new Error('Try later'), { responseCode: 451 })) : done(),
  })
  const mailer = mailerFor(port)
  await expect(mailer.send(MAIL)).rejects.toThrow('451 Try later')
  refuse = false
  await mailer.send(MAIL)
  expect(arrived).toHaveLength(1)
})

test('a server that answers a byte at a time is given up when a whole mail has taken too long', async () => {
  const { port, leftAlone } = await startScriptedServer('220 slow\r\n250-', true)
  const error = await failure(mailerFor(port, { waits: { mail: 300 } }).send(MAIL))
  expect(error).toMatchObject({
    code: 'EABORT',
    message: `Mail server 127.0.0.1:${port}: Message sending aborted`,
  })
  await leftAlone
})

// Each has a later wait to run into, should the first not be kept.
test.each([
  {
    never: 'greets',
    greeting: '',
    waits: { connect: 300, idle: 5000 },
    told: 'Greeting never received (wrong port, or smtps:// is needed)',
  },
  { never: 'answers', greeting: '220 slow\r\n', waits: { idle: 300, mail: 5000 }, told: 'Timeout' },
])('a server that accepts and never $never is given up', async ({ greeting, waits, told }) => {
  const { port, leftAlone } = await startScriptedServer(greeting)
  const mailer = mailerFor(port, { waits })
  const given = { code: 'ETIMEDOUT', message: `Mail server 127.0.0.1:${port}: ${told}` }
  expect(await failure(mailer.send(MAIL))).toMatchObject(given)
  await leftAlone
  expect(await failure(mailer.verify())).toMatchObject(given)
})

test('closing gives up on a mail under way, though the server is not silent, and may be asked for twice', async () => {
  const { port, reached } = await startScriptedServer('220 slow\r\n250-', true)
  const mailer = mailerFor(port)
  const sending = failure(mailer.send(MAIL))
  await reached
  await mailer.close()
  await mailer.close()
  expect((await sending).message).toMatch(/^Mail server 127\.0\.0\.1:\d+: /)
})

test('a mailer that was never used closes at once', async () => {
  await expect(smtpMailer({ url: 'smtp://127.0.0.1:25', from: FROM }).close()).resolves.toBeUndefined()
})

test('a URL or a sender that cannot be read is no mailer', () => {
  expect(() => smtpMailer({ url: 'http://mail.example', from: FROM })).toThrow('no address of a mail server')
  expect(() =>
    smtpMailer({ url: 'smtp://mail.example', from: 'Eve <eve@evil.example>\r\nBcc: x@y.example' }),
  ).toThrow('no e-mail address')
})

/** All that a log could show of an error. */
function printError(error: Error): string {
  return [error.message, error.stack, JSON.stringify(error, Object.getOwnPropertyNames(error))].join('\n')
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64')
}

/**
 * Says something to whoever connects, and then nothing more, or a dot at a time for ever. `reached` is when it was spoken to,
 * `leftAlone` when somebody hung up.
 */
async function startScriptedServer(greeting: string, dripping = false) {
  const reached = Promise.withResolvers<void>()
  const leftAlone = Promise.withResolvers<void>()
  const { port } = await portOf(
    createServer((socket) => {
      socket.on('error', () => {}).once('data', () => reached.resolve())
      if (greeting !== '') socket.write(greeting)
      const drops = dripping ? setInterval(() => socket.write('.'), 20) : undefined
      socket.on('close', () => {
        clearInterval(drops)
        leftAlone.resolve()
      })
    }).listen(0, '127.0.0.1'),
  )
  return { port, reached: reached.promise, leftAlone: leftAlone.promise }
}

async function portOf(server: ReturnType<typeof createServer>, closed = false) {
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  if (closed) await new Promise((done) => server.close(done))
  else onTestFinished(() => void server.close())
  return { port }
}
