import { expect, test } from 'vitest'
import { describeEachStore } from '../../support/stores.ts'
import { openService, openWorkspace } from '../../support/test-service.ts'

describeEachStore('GET /v1/me', (open) => {
  test('returns the member, the role, the scopes and the workspace of the token', async () => {
    const acme = await openWorkspace(await openService(await open()))
    const ann = await acme.addMember('ann', 'member')
    const token = await acme.tokenFor(`ann@${acme.slug}.example`, ['tasks:read', 'people:read'])
    const workspace = { id: acme.id, name: 'Acme', slug: acme.slug, role: 'member' }
    expect((await acme.call('GET', '/v1/me', undefined, { token })).json).toEqual({
      data: {
        id: ann.id,
        name: 'ann',
        email: `ann@${acme.slug}.example`,
        role: 'member',
        workspace,
        workspaces: [workspace],
        scopes: ['tasks:read', 'people:read'],
        ...{ language: null, reminder_time: null },
        notices: Object.fromEntries(
          ['task_due', 'task_overdue', 'reminder', 'mention', 'change'].map((kind) => [
            kind,
            { app: true, mail: false },
          ]),
        ),
      },
    })
    expect((await acme.call('GET', '/v1/me?fields=role')).status).toBe(422)
  })

  test('names only the workspaces in which the member has let the app in', async () => {
    const service = await openService(await open())
    const acme = await openWorkspace(service)
    const email = acme.owner.email
    const slugs = ['let-in', 'other-app'].map((name) => `${name}-${acme.slug}`)
    const [letIn, otherApp] = slugs
    for (const slug of slugs)
      await service.crm.operator.createWorkspace({ name: slug, slug, owner_name: 'Olga', owner_email: email })
    const { client_id } = await service.crm.operator.createApp({
      name: 'Other',
      email,
      redirect_uris: ['https://other.example/cb'],
      scopes: ['people:read'],
    })
    const grant = (workspace: string, app: string) =>
      service.crm.operator.createToken({ workspace, client_id: app, user_email: email })
    await grant(letIn!, acme.client_id)
    await grant(otherApp!, client_id)
    const slugsOf = async () => {
      const { json } = await acme.call('GET', '/v1/me')
      return (json as { data: { workspaces: { slug: string }[] } }).data.workspaces.map(({ slug }) => slug)
    }
    expect(await slugsOf()).toEqual([acme.slug, letIn])
  })

  test('names the own workspace only for an application that embeds the service', async () => {
    const service = await openService(await open())
    const acme = await openWorkspace(service)
    const email = acme.owner.email
    const slug = `second-${acme.slug}`
    await service.crm.operator.createWorkspace({
      name: 'Second',
      slug,
      owner_name: 'Olga',
      owner_email: email,
    })
    const actor = await service.crm.operator.actorFor({ workspace: acme.slug, email })
    const { workspaces } = await service.crm.members.me(actor)
    expect(workspaces.map((workspace) => workspace.slug)).toEqual([acme.slug])
  })
})
