import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { CONSOLE_CLIENT_ID } from '@sales-crm/core'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import { expect, onTestFinished, test } from 'vitest'
import { createMailer } from '../../../src/background/mail/mailer.ts'
import { startMailWorker } from '../../../src/background/mail-worker.ts'
import { startReminderWorker } from '../../../src/background/reminder-worker.ts'
import { loadSettings } from '../../../src/process/settings.ts'
import { createLogRecorder } from '../../support/fake-mailers.ts'
import { describeEachStore } from '../../support/stores.ts'
import { openService, openWorkspace } from '../../support/test-service.ts'

/** Starts a mail server, and returns its address and what it received. */
async function startMailServer() {
  const received: { readonly to: string; readonly email: Email }[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, { envelope }, done) {
      buffer(stream)
        .then(async (raw) => {
          const email = await PostalMime.parse(raw)
          received.push(...envelope.rcptTo.map(({ address }) => ({ to: address, email })))
        })
        .then(() => done(), done)
    },
  })
  const listener = server.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  onTestFinished(() => new Promise<void>((closed) => server.close(() => closed())))
  return { url: `smtp://127.0.0.1:${(listener.address() as AddressInfo).port}`, received }
}

type Service = Awaited<ReturnType<typeof openService>>

/** Starts the workers of two processes. Returns a function that stops them and waits for what they do. */
function startWorkers({ crm }: Service, url: string): () => Promise<void> {
  const { log } = createLogRecorder()
  const stops = [1, 2].flatMap(() => {
    const mailer = createMailer(loadSettings({ SMTP_URL: url, MAIL_FROM: 'Sales CRM <crm@acme.example>' }))
    onTestFinished(() => mailer.close())
    return [startMailWorker(crm, mailer, log as never), startReminderWorker(crm.reminders, log)]
  })
  const stop = async () => void (await Promise.all(stops.map((each) => each())))
  onTestFinished(stop)
  return stop
}

describeEachStore('mails of notifications', (open) => {
  test('of a mention and a reminder arrive once, and never of an own act', async () => {
    const { url, received } = await startMailServer()
    const service = await openService(await open())
    const acme = await openWorkspace(service)
    const [ann, ben] = [await acme.addMember('ann', 'member'), await acme.addMember('ben', 'member')]
    for (const email of [acme.owner.email, ann.email, ben.email]) {
      const actor = await service.crm.operator.actorFor({ workspace: acme.slug, email })
      const both = { app: true, mail: true }
      const notices = { mention: both, reminder: both, change: both }
      await service.crm.members.updateMe({ ...actor, clientId: CONSOLE_CLIENT_ID }, { notices })
    }
    const person = await acme.createRecord('/v1/people', { full_name: 'Vera Souza' })
    const asAnn = { token: ann.token }
    await acme.call('PUT', `/v1/people/${person.id}/following`, undefined, asAnn)
    const mention = (id: string) => `<a href="${service.ports.issuer}/members/${id}">@x</a>`
    const note = {
      ...{ entity: 'people', entity_id: person.id },
      content_html: `${mention(ann.id)} ${mention(ben.id)}`,
    }
    expect((await acme.call('POST', '/v1/activities', note, asAnn)).status).toBe(201)
    await acme.createRecord('/v1/tasks', {
      ...{ title: 'Call Vera', owner_email: ben.email, remind_at: '2026-03-01T12:30:00.000Z' },
    })
    await acme.createRecord('/v1/tasks', {
      ...{ title: 'Not yet', owner_email: ben.email, remind_at: '2026-03-02T12:30:00.000Z' },
    })
    const stop = startWorkers(service, url)
    service.advanceClock(3_600_000)
    await expect.poll(() => received.length, { timeout: 30_000 }).toBeGreaterThanOrEqual(2)
    await stop()
    // Nothing is left that would come later.
    const rest: string[] = []
    expect(await service.crm.reminders.send()).toBe(0)
    await service.crm.mail.send(async ({ kind }) => void rest.push(kind))
    expect(rest).toEqual([])
    expect(received.map(({ to, email }) => [to, email.subject]).toSorted()).toEqual([
      [ben.email, 'Reminder: Call Vera'],
      [ben.email, 'ann mentioned you on Vera Souza'],
    ])
    for (const [subject, page] of [
      ['ann mentioned', `people/${person.id}`],
      ['Reminder', 'tasks'],
    ] as const) {
      const mail = received.find(({ email }) => email.subject?.startsWith(subject))!.email
      const link = `${service.ports.issuer}/w/${acme.slug}/${page}`
      expect([mail.text, mail.html]).toEqual([
        expect.stringContaining(link),
        expect.stringContaining(`href="${link}"`),
      ])
    }
  }, 60_000)
})
