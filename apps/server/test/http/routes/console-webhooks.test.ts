import { expect, test } from 'vitest'
import { addMemberWithPassword, openBrowser } from '../../support/page-browser.ts'
import { describeEachStore } from '../../support/stores.ts'
import { errorOf, openService, openWorkspace, sendRequest } from '../../support/test-service.ts'

const ORIGIN = 'https://crm.example'
const HOOK = { url: 'https://hooks.example/crm', events: ['task.created'] }

interface WebhookData {
  readonly data: { readonly id: string; readonly stopped: boolean }
}

describeEachStore('webhooks of the console', (open) => {
  async function openConsoles() {
    const service = await openService(await open(), { issuer: ORIGIN })
    const acme = await openWorkspace(service)
    /** A member with a token that the console gets for its session. */
    async function enterConsole(local: string, role: 'owner' | 'admin' | 'member') {
      const { email } = await addMemberWithPassword(service, acme, local, role)
      const browser = openBrowser(service)
      await browser.signIn(email)
      const Cookie = [...browser.jar].map(([name, value]) => `${name}=${value}`).join('; ')
      const headers = { Cookie, Origin: ORIGIN, 'Sec-Fetch-Site': 'same-origin' }
      const { json } = await sendRequest(service.app, 'POST', '/session/token', {}, { headers })
      const token = (json as { data: { access_token: string } }).data.access_token
      const call = (method: string, path: string, body?: unknown) => acme.call(method, path, body, { token })
      return { email, browser, call }
    }
    return {
      service,
      acme,
      owner: await enterConsole('olivia', 'owner'),
      admin: await enterConsole('ada', 'admin'),
      member: await enterConsole('ana', 'member'),
    }
  }

  test('are refused to a member, whatever the call', async () => {
    const { admin, member } = await openConsoles()
    const { data } = (await admin.call('POST', '/v1/webhooks', { ...HOOK, auth_enable: true }))
      .json as WebhookData
    const path = `/v1/webhooks/${data.id}`
    const calls = [
      ['GET', '/v1/webhooks', undefined, 'read'],
      ['POST', '/v1/webhooks', HOOK, 'create'],
      ['GET', path, undefined, 'read'],
      ['PATCH', path, { auth_enable: false }, 'update'],
      ['DELETE', path, undefined, 'delete'],
      ['GET', `${path}/deliveries`, undefined, 'read'],
      ['POST', `${path}/test`, undefined, 'update'],
      ['POST', `${path}/take-over`, undefined, 'update'],
    ] as const
    for (const [method, url, body, operation] of calls) {
      const response = await member.call(method, url, body)
      expect([response.status, errorOf(response)['message']], `${method} ${url}`).toEqual([
        403,
        `You do not have permission to ${operation} this webhook.`,
      ])
    }
    expect((await admin.call('GET', path)).json).toMatchObject({ data: { url: HOOK.url, auth_enable: true } })
  })

  test('stop with the access of their creator, on the members page too, until an owner takes them over', async () => {
    const { service, acme, owner, admin } = await openConsoles()
    const { data } = (await admin.call('POST', '/v1/webhooks', HOOK)).json as WebhookData
    const path = `/v1/webhooks/${data.id}`
    const delivery = (await admin.call('POST', `${path}/test`)).json as WebhookData
    await service.crm.operator.removeMember({ workspace: acme.slug, email: admin.email })

    expect((await owner.call('GET', path)).json).toMatchObject({
      data: { creator: { email: admin.email }, stopped: true },
    })
    for (const refused of [`${path}/test`, `${path}/deliveries/${delivery.data.id}/redeliver`])
      expect((await owner.call('POST', refused)).status).toBe(409)
    const page = (await owner.browser.get(`/workspaces/${acme.slug}/members`)).text
    expect(page).toContain(HOOK.url)
    expect(page).toContain(`href="/w/${acme.slug}/settings/webhooks/${data.id}"`)

    expect((await owner.call('POST', `${path}/take-over`, { url: 'x' })).status).toBe(422)
    expect((await owner.call('POST', `${path}/take-over?x=1`)).status).toBe(422)
    expect((await owner.call('POST', `${path}/take-over`)).json).toMatchObject({
      data: { creator: { email: owner.email }, stopped: false },
    })
    expect((await owner.call('POST', `${path}/test`)).status).toBe(201)
    expect((await owner.browser.get(`/workspaces/${acme.slug}/members`)).text).not.toContain(HOOK.url)
    const { id } = await acme.createRecord('/v1/webhooks', HOOK)
    expect((await acme.call('POST', `/v1/webhooks/${id}/take-over`)).status).toBe(404)
  })
})
