import { describe, expect, test } from 'vitest'
import { ANN, faultsOf, NOON, OWNER, office, refusalOf } from '../../test/harness.ts'
import { SCOPES } from '../actor.ts'

const TAKEN = 'A record with this value already exists.'
const NEW = { name: 'New', slug: 'new', owner_name: 'Nia', owner_email: 'Nia@New.Example' }

describe('making a workspace', () => {
  test('makes its owner too', async () => {
    const { crm, storage } = await office()
    const sent = {
      ...NEW,
      slug: 'New',
      owner_password: 'correct horse',
      locale: 'pt-BR',
      currency: 'BRL',
      time_zone: 'America/Sao_Paulo',
    } as const
    const { owner, ...workspace } = await crm.operator.createWorkspace(sent)
    expect(workspace).toEqual({
      id: workspace.id,
      name: 'New',
      slug: 'new',
      locale: 'pt-BR',
      currency: 'BRL',
      time_zone: 'America/Sao_Paulo',
    })
    expect(owner).toEqual({ id: owner.id, name: 'Nia', email: 'nia@new.example', role: 'owner' })
    const actor = await crm.operator.actorFor({ workspace: 'new', email: 'nia@new.example' })
    expect(await crm.workspace.get(actor)).toEqual(workspace)
    expect(await storage.read((tx) => tx.users.get(owner.id))).toEqual({
      id: owner.id,
      name: 'Nia',
      email: 'nia@new.example',
      password_hash: 'hash of correct horse',
      created_at: NOON,
      updated_at: NOON,
    })
  })

  test('needs no locale, currency, time zone or password', async () => {
    const { crm, storage } = await office()
    const { owner, ...workspace } = await crm.operator.createWorkspace(NEW)
    expect(workspace).toMatchObject({ locale: 'en-US', currency: 'USD', time_zone: 'UTC' })
    expect((await storage.read((tx) => tx.users.get(owner.id)))?.password_hash).toBeNull()
  })

  test('lets a known person join with the account they have', async () => {
    const { crm, owner } = await office()
    const made = await crm.operator.createWorkspace({ ...NEW, owner_email: 'OLGA@acme.example' })
    expect(made.owner).toEqual({ id: owner.userId, ...OWNER, role: 'owner' })
  })

  test('under a taken slug is refused and leaves nothing behind', async () => {
    const { crm } = await office()
    expect(await refusalOf(crm.operator.createWorkspace({ ...NEW, slug: 'ACME' }))).toEqual({
      code: 'conflict',
      message: TAKEN,
      fields: { slug: TAKEN },
    })
    expect(await refusalOf(crm.operator.actorFor({ workspace: 'acme', email: NEW.owner_email }))).toMatchObject({
      message: 'Member not found.',
    })
  })

  test('reports every bad field', async () => {
    const { crm } = await office()
    const sent = {
      name: '',
      slug: 'a--b',
      owner_name: 5,
      owner_email: 'nia',
      owner_password: 'short',
      locale: 'xx_YY',
      currency: 'XXX',
      time_zone: 'Mars/Base',
      plan: 1,
    }
    expect(await faultsOf(crm.operator.createWorkspace(sent as never))).toEqual({
      name: 'Required.',
      slug: 'Must be lower-case letters and digits, joined by single hyphens.',
      owner_name: 'Must be a string.',
      owner_email: 'Must be an e-mail address.',
      owner_password: 'Must be between 8 and 200 characters.',
      locale: 'Must be a BCP 47 locale such as pt-BR.',
      currency: expect.stringMatching(/^Must be one of: AED, .*, ZAR\.$/),
      time_zone: 'Must be an IANA time zone such as America/Sao_Paulo.',
      plan: 'Unknown field.',
    })
    expect(await faultsOf(crm.operator.createWorkspace({ ...NEW, locale: 5, time_zone: 5 } as never))).toEqual({
      locale: 'Must be a string.',
      time_zone: 'Must be a string.',
    })
  })
})

describe('adding a member', () => {
  test('makes an account, or takes the one there is', async () => {
    const { crm, stranger } = await office()
    const cleo = await crm.operator.addMember({
      workspace: 'ACME',
      name: 'Cleo',
      email: 'Cleo@Acme.example',
      role: 'admin',
      password: 'long enough',
    })
    expect(cleo).toEqual({ id: cleo.id, name: 'Cleo', email: 'cleo@acme.example', role: 'admin' })
    const sam = await crm.operator.addMember({ workspace: 'acme', name: 'Samuel', email: 'sam@other.example', role: 'member' })
    expect(sam).toEqual({ id: stranger.userId, name: 'Sam', email: 'sam@other.example', role: 'member' })
  })

  test('who is one already is refused', async () => {
    const { crm } = await office()
    const again = crm.operator.addMember({ workspace: 'acme', name: 'Ann', email: 'ANN@acme.example', role: 'admin' })
    expect(await refusalOf(again)).toEqual({ code: 'conflict', message: TAKEN, fields: { email: TAKEN } })
  })

  test('to a workspace that is not there, or in an unknown role, is refused', async () => {
    const { crm } = await office()
    const cleo = { workspace: 'nowhere', name: 'Cleo', email: 'cleo@acme.example', role: 'member' } as const
    expect(await refusalOf(crm.operator.addMember(cleo))).toEqual({ code: 'not_found', message: 'Workspace not found.' })
    expect(await faultsOf(crm.operator.addMember({ ...cleo, role: 'root' as never }))).toEqual({
      role: 'Must be one of: owner, admin, member.',
    })
  })

  test('who had left gives them back what they owned, in the new role', async () => {
    const { crm, owner, ann } = await office()
    const task = await crm.tasks.create(owner, { title: 'A', owner_email: ANN.email })
    await crm.operator.removeMember({ workspace: 'acme', email: ANN.email })
    const back = await crm.operator.addMember({ workspace: 'acme', ...ANN, role: 'admin' })
    expect(back).toEqual({ id: ann.userId, ...ANN, role: 'admin' })
    expect(await crm.tasks.get(owner, task.id)).toEqual(task)
    expect((await crm.operator.actorFor({ workspace: 'acme', email: ANN.email })).role).toBe('admin')
  })
})

describe('removing a member', () => {
  test('revokes what they approved in this workspace, and nothing else', async () => {
    const { crm, storage, clock, owner, ann, stranger } = await office()
    await crm.operator.addMember({ workspace: 'other', ...ANN, role: 'member' })
    const app = await crm.operator.createApp({ name: 'App', email: 'a@b.co', redirect_uris: ['https://a.co/'], scopes: ['tasks:read'] })
    for (const [workspace, user_email] of [
      ['acme', ANN.email],
      ['acme', OWNER.email],
      ['other', ANN.email],
    ] as const) {
      await crm.operator.createToken({ workspace, client_id: app.client_id, user_email })
    }
    clock.advance(60)
    expect(await crm.operator.removeMember({ workspace: 'acme', email: 'ANN@acme.example' })).toEqual({
      id: ann.userId,
      ...ANN,
      role: 'member',
    })
    const grants = (workspaceId: string) => storage.read((tx) => tx.workspace(workspaceId).grants.find([]))
    const at = '2026-03-01T12:01:00.000Z'
    expect((await grants(owner.workspaceId)).map(({ user_id, revoked_at, updated_at }) => ({ user_id, revoked_at, updated_at }))).toEqual([
      { user_id: ann.userId, revoked_at: at, updated_at: at },
      { user_id: owner.userId, revoked_at: null, updated_at: NOON },
    ])
    expect((await grants(stranger.workspaceId)).map(({ revoked_at }) => revoked_at)).toEqual([null])
  })

  test('who is the last owner is refused', async () => {
    const { crm } = await office()
    expect(await faultsOf(crm.operator.removeMember({ workspace: 'acme', email: OWNER.email }))).toEqual({
      email: 'Must not be the last owner of the workspace.',
    })
    await crm.operator.addMember({ workspace: 'acme', name: 'Sam', email: 'sam@other.example', role: 'owner' })
    await crm.operator.removeMember({ workspace: 'acme', email: OWNER.email })
    expect(await faultsOf(crm.operator.removeMember({ workspace: 'acme', email: 'sam@other.example' }))).toHaveProperty('email')
  })

  test('who is none, or has left, is refused', async () => {
    const { crm } = await office()
    const missing = { code: 'not_found', message: 'Member not found.' }
    await crm.operator.removeMember({ workspace: 'acme', email: ANN.email })
    for (const email of [ANN.email, 'sam@other.example', 'nobody@acme.example']) {
      expect(await refusalOf(crm.operator.removeMember({ workspace: 'acme', email }))).toEqual(missing)
    }
  })
})

describe('an actor', () => {
  test('has every scope unless fewer are named', async () => {
    const { crm, owner, ann } = await office()
    expect(owner).toEqual({
      workspaceId: owner.workspaceId,
      userId: owner.userId,
      role: 'owner',
      clientId: 'embedded',
      scopes: new Set(SCOPES),
    })
    const fewer = await crm.operator.actorFor({ workspace: 'Acme', email: 'ANN@acme.example', scopes: ['tasks:read'], clientId: 'app' })
    expect(fewer).toEqual({ ...ann, clientId: 'app', scopes: new Set(['tasks:read']) })
  })

  test('is a member', async () => {
    const { crm } = await office()
    await crm.operator.removeMember({ workspace: 'acme', email: ANN.email })
    const missing = { code: 'not_found', message: 'Member not found.' }
    expect(await refusalOf(crm.operator.actorFor({ workspace: 'acme', email: ANN.email }))).toEqual(missing)
    expect(await refusalOf(crm.operator.actorFor({ workspace: 'acme', email: 'sam@other.example' }))).toEqual(missing)
    expect(await refusalOf(crm.operator.actorFor({ workspace: 'nowhere', email: ANN.email }))).toEqual({
      code: 'not_found',
      message: 'Workspace not found.',
    })
  })
})
