import { memoryStorage } from '@sales-crm/core/memory'
import { expect, test } from 'vitest'
import {
  addMemberWithPassword,
  type Browser,
  hiddenFieldsOf,
  openBrowser,
  PASSWORD,
  sendMailAndListLinks,
} from '../support/page-browser.ts'
import { openService, openWorkspace } from '../support/test-service.ts'

const DAY = 86_400_000
const UNKNOWN_ID = '00000000-0000-7000-8000-000000000000'

async function openTestService() {
  const service = await openService(memoryStorage())
  const acme = await openWorkspace(service)
  const boss = await addMemberWithPassword(service, acme, 'boss', 'owner')
  const browser = openBrowser(service)
  await browser.signIn(boss.email)
  const membersPath = `/workspaces/${acme.slug}/members`
  return { service, acme, boss, browser, membersPath, invite: createInviter(browser, membersPath) }
}

function createInviter(browser: Browser, membersPath: string) {
  return async (email: string, role = 'member') =>
    browser.submit(await browser.get(membersPath), `${membersPath}/invite`, { email, role })
}

test('an invited person chooses a password and becomes a member', async () => {
  const { service, acme, browser, membersPath, invite } = await openTestService()
  const done = await invite(' New@Fresh.example ')
  expect([done.status, done.location]).toEqual([
    303,
    expect.stringMatching(`^${membersPath}\\?done=invited&invitation=[0-9a-f-]{36}$`),
  ])
  expect((await browser.get(done.location ?? '')).text).toContain('is on its way')
  const [link = ''] = await sendMailAndListLinks(service)
  expect(link).toMatch(/^\/invitations\/crm_in_[0-9a-f]{96}$/)

  const guest = openBrowser(service)
  expect([(await guest.head(link)).status, (await guest.get(link)).status]).toEqual([200, 200])
  const page = await guest.get(link)
  expect(page.text).toContain('Acme')
  const empty = await guest.submit(page, link, { name: 'Nia New', password: 'short' })
  expect([
    empty.status,
    empty.text.includes('id="password-error"'),
    empty.text.includes('value="Nia New"'),
  ]).toEqual([422, true, true])
  const joined = await guest.submit(page, link, { name: 'Nia New', password: PASSWORD })
  expect([joined.status, joined.text.includes('Welcome aboard'), joined.text.includes('Acme')]).toEqual([
    200,
    true,
    true,
  ])
  expect(joined.text).toContain(`href="/w/${acme.slug}/">Open the CRM`)
  expect(joined.cookies).toEqual([expect.stringMatching(/^crm_session=crm_ses_/)])
  expect((await guest.get('/account')).text).toContain(`href="/w/${acme.slug}/"`)
  expect((await guest.get('/account')).text).toContain('Nia New')
  expect((await guest.get(link)).status).toBe(404)

  expect((await browser.get(done.location ?? '')).text).not.toContain('is on its way')
  expect((await browser.get(membersPath)).text).toContain('Nia New')
  const { json } = await acme.call('GET', '/v1/members')
  expect((json as { data: unknown[] }).data).toContainEqual(
    expect.objectContaining({ email: 'new@fresh.example', role: 'member' }),
  )
})

test('an existing user joins with the current password and is not signed in by the link', async () => {
  const { service, acme, invite } = await openTestService()
  const otherWorkspace = await openWorkspace(service, 'Rival')
  const rita = await addMemberWithPassword(service, otherWorkspace, 'rita')
  expect((await invite(rita.email, 'admin')).status).toBe(303)
  const [link = ''] = await sendMailAndListLinks(service)
  const guest = openBrowser(service)
  const page = await guest.get(link)
  expect(page.text).not.toContain('type="password"')
  const joined = await guest.submit(page, link, { name: 'New name', password: 'another password' })
  expect([joined.status, joined.cookies]).toEqual([200, []])
  expect([joined.text.includes('You are now a member of'), joined.text.includes('href="/sign-in"')]).toEqual([
    true,
    true,
  ])
  expect((await guest.get('/account')).location).toBe('/sign-in?page=/account')
  await guest.signIn(rita.email)
  const account = await guest.get('/account')
  expect([
    account.text.includes('New name'),
    account.text.includes(`/workspaces/${acme.slug}/members`),
  ]).toEqual([false, true])
})

test('joining ends the session of the previous user of the browser', async () => {
  const { service, browser, invite } = await openTestService()
  await invite('new@fresh.example')
  const [link = ''] = await sendMailAndListLinks(service)
  const before = browser.jar.get('crm_session') ?? ''
  const joined = await browser.submit(await browser.get(link), link, { name: 'Nia New', password: PASSWORD })
  expect([joined.status, joined.text.includes('boss example'), joined.text.includes('/sign-out')]).toEqual([
    200,
    false,
    false,
  ])
  expect(joined.text).toContain('<bdi>new@fresh.example</bdi> is now a member of <bdi>Acme</bdi>.')
  expect((await browser.get('/account')).text).toContain('Nia New')
  browser.jar.set('crm_session', before)
  expect((await browser.get('/account')).location).toBe('/sign-in?page=/account')
})

test('opening the invitation of an existing user keeps the user signed in', async () => {
  const { service, browser, invite } = await openTestService()
  const rita = await addMemberWithPassword(service, await openWorkspace(service, 'Rival'), 'rita')
  await invite(rita.email)
  const [link = ''] = await sendMailAndListLinks(service)
  const page = await browser.get(link)
  expect(page.text).toContain(`This invitation is for <bdi>${rita.email}</bdi>.`)
  const joined = await browser.submit(page, link)
  expect([joined.status, joined.cookies]).toEqual([200, []])
  expect(joined.text).toContain(`<bdi>${rita.email}</bdi> is now a member of <bdi>Acme</bdi>.`)
  expect(joined.text).toContain('href="/">Open the CRM')
  expect((await browser.get('/account')).text).toContain('boss example')
})

test('twenty concurrent submissions create one member', async () => {
  const { service, acme, invite } = await openTestService()
  await invite('new@fresh.example')
  const [link = ''] = await sendMailAndListLinks(service)
  const browsers = Array.from({ length: 20 }, () => openBrowser(service))
  const pages = await Promise.all(browsers.map((browser) => browser.get(link)))
  const responses = await Promise.all(
    browsers.map((browser, nth) =>
      browser.submit(pages[nth]!, link, { name: `Name ${nth}`, password: PASSWORD }),
    ),
  )
  expect(responses.map(({ status }) => status).toSorted()).toEqual([200, ...Array<number>(19).fill(404)])
  const { json } = await acme.call('GET', '/v1/members')
  expect((json as { data: unknown[] }).data).toHaveLength(3)
})

test('an invitation expires after seven days or on withdrawal', async () => {
  const { service, browser, membersPath, invite } = await openTestService()
  await invite('one@fresh.example')
  const [one = ''] = await sendMailAndListLinks(service)
  const withdrawn = await browser.submit(await browser.get(membersPath), `${membersPath}/withdraw`)
  expect(withdrawn.location).toBe(`${membersPath}?done=withdrawn`)
  expect((await browser.get(withdrawn.location ?? '')).text).toContain('The invitation is withdrawn.')
  const withdrawnPage = await openBrowser(service).get(one)
  expect([
    withdrawnPage.status,
    withdrawnPage.text.includes('Ask whoever invited you'),
    withdrawnPage.text.includes('href="/sign-in"'),
  ]).toEqual([404, true, true])
  await invite('two@fresh.example')
  const [two = ''] = await sendMailAndListLinks(service)
  const guest = openBrowser(service)
  service.advanceClock(7 * DAY - 1)
  const page = await guest.get(two)
  service.advanceClock(1)
  expect((await guest.submit(page, two, { name: 'Late', password: PASSWORD })).status).toBe(404)
})

test('a repeated invitation replaces the earlier link and says so', async () => {
  const { service, browser, membersPath, invite } = await openTestService()
  await invite('new@fresh.example', 'admin')
  const repeated = await invite(' NEW@fresh.example ', 'admin')
  expect(repeated.location).toMatch(`${membersPath}?done=invited-again&invitation=`)
  expect((await browser.get(repeated.location ?? '')).text).toContain(
    'The link of the earlier one no longer works.',
  )
  const [first = '', second = ''] = await sendMailAndListLinks(service)
  const guest = openBrowser(service)
  expect([(await guest.get(first)).status, (await guest.get(second)).status]).toEqual([404, 200])
})

test('a rejected invitation shows the form with the reason', async () => {
  const { boss, browser, membersPath, invite } = await openTestService()
  const member = await invite(boss.email)
  expect([member.status, member.text.includes('already a member')]).toEqual([409, true])
  const wrong = await invite('no address', 'king')
  expect([
    wrong.status,
    wrong.text.includes('id="email-error"'),
    wrong.text.includes('id="role-error"'),
  ]).toEqual([422, true, true])
  expect(wrong.text).toContain('value="no address"')
  for (let sent = 0; sent < 3; sent += 1) expect((await invite('new@fresh.example')).status).toBe(303)
  const rejected = await invite('new@fresh.example')
  expect([rejected.status, rejected.headers.get('Retry-After')]).toEqual([429, '3600'])
  const { text } = await browser.get(`${membersPath}?done=invited&invitation=${UNKNOWN_ID}`)
  expect(text).not.toContain('role="status"')
})

test('a removed member loses access; the last owner cannot be removed', async () => {
  const { service, acme, boss, browser, membersPath } = await openTestService()
  const ana = await addMemberWithPassword(service, acme)
  const annBrowser = openBrowser(service)
  await annBrowser.signIn(ana.email)
  const page = await browser.get(membersPath)
  const remove = (user: string) => browser.submit(page, `${membersPath}/remove`, { user })
  expect((await remove(ana.id)).location).toBe(`${membersPath}?done=removed`)
  expect((await browser.get(`${membersPath}?done=removed`)).text).toContain('no longer has access')
  expect((await annBrowser.get('/account')).text).not.toContain('Acme')
  for (const user of [ana.id, UNKNOWN_ID, '%00', '', 'x']) expect((await remove(user)).status).toBe(404)
  expect((await remove(acme.owner.id)).status).toBe(303)
  const lastOwner = await remove(boss.id)
  expect([lastOwner.status, lastOwner.text.includes('needs an owner')]).toEqual([422, true])
})

test('removing oneself redirects to the account', async () => {
  const { boss, browser, membersPath } = await openTestService()
  const left = await browser.submit(await browser.get(membersPath), `${membersPath}/remove`, {
    user: boss.id,
  })
  expect(left.location).toBe('/account?done=left')
  const account = await browser.get(left.location ?? '')
  expect([account.status, account.text.includes('You have left the workspace.')]).toEqual([200, true])
  expect((await browser.get(membersPath)).status).toBe(404)
})

test('requires an admin or owner of the workspace, and an owner to manage owners', async () => {
  const { service, acme, membersPath } = await openTestService()
  const otherWorkspace = await openWorkspace(service, 'Rival')
  await addMemberWithPassword(service, acme, 'ana')
  await addMemberWithPassword(service, acme, 'ada', 'admin')
  await addMemberWithPassword(service, otherWorkspace, 'rita', 'owner')
  const signInAs = async (slug: string, local: string) => {
    const browser = openBrowser(service)
    expect((await browser.signIn(`${local}@${slug}.example`)).status).toBe(303)
    const form = hiddenFieldsOf(await browser.get('/account'), '/sign-out')
    return {
      get: async () => (await browser.get(membersPath)).status,
      send: async (action: string, fields: Record<string, string>) =>
        (await browser.post(`${membersPath}/${action}`, { ...form, ...fields })).status,
    }
  }
  for (const [member, status] of [
    [await signInAs(acme.slug, 'ana'), 403],
    [await signInAs(otherWorkspace.slug, 'rita'), 404],
  ] as const) {
    expect(await member.get()).toBe(status)
    expect(await member.send('invite', { email: 'new@fresh.example', role: 'member' })).toBe(status)
    expect(await member.send('remove', { user: acme.owner.id })).toBe(status)
    expect(await member.send('withdraw', { invitation: UNKNOWN_ID })).toBe(status)
  }
  const ada = await signInAs(acme.slug, 'ada')
  expect(await ada.get()).toBe(200)
  expect(await ada.send('invite', { email: 'new@fresh.example', role: 'owner' })).toBe(403)
  expect(await ada.send('remove', { user: acme.owner.id })).toBe(403)
  expect(await sendMailAndListLinks(service)).toEqual([])
})

test('answers 404 for an unknown workspace', async () => {
  const { browser } = await openTestService()
  for (const slug of [
    'nowhere',
    '%00',
    '%ff',
    '%ed%a0%80',
    'constructor',
    '..',
    "'%20or%201=1",
    'a'.repeat(3000),
    '%F0%9F%98%80',
  ]) {
    expect((await browser.get(`/workspaces/${slug}/members`)).status).toBe(404)
  }
})

test('without a mail server the link is shown once, and a known account joins only when it is signed in', async () => {
  const service = await openService(memoryStorage(), { deliversMail: false })
  const acme = await openWorkspace(service)
  const boss = await addMemberWithPassword(service, acme, 'boss', 'owner')
  const rita = await addMemberWithPassword(service, await openWorkspace(service, 'Rival'), 'rita')
  const browser = openBrowser(service)
  await browser.signIn(boss.email)
  const membersPath = `/workspaces/${acme.slug}/members`
  const shown = await createInviter(browser, membersPath)(rita.email)
  const link = /\/invitations\/crm_in_[0-9a-f]+/.exec(shown.text)![0]
  expect((await browser.get(membersPath)).text).not.toContain('crm_in_')

  const guest = openBrowser(service)
  const refused = await guest.get(link)
  expect([refused.status, refused.text.includes('open the link again')]).toEqual([200, true])
  const asBoss = await browser.post(
    link,
    hiddenFieldsOf(await browser.get(membersPath), `${membersPath}/invite`),
  )
  expect(asBoss.status).toBe(403)
  await guest.signIn(rita.email)
  expect((await guest.submit(await guest.get(link), link)).text).toContain('You are now a member of')
})
