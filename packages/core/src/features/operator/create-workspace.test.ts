import { describe, expect, test } from 'vitest'
import { catchFieldErrors, catchRejection, createTestCrm, NOON, OWNER } from '../../../test/harness.ts'

const CONFLICT_MESSAGE = 'A record with this value already exists.'
const NEW = { name: 'New', slug: 'new', owner_name: 'Nia', owner_email: 'Nia@New.Example' }

describe('creating a workspace', () => {
  test('creates its owner too', async () => {
    const { crm, storage } = await createTestCrm()
    const input = {
      ...NEW,
      slug: 'New',
      owner_password: 'correct horse',
      locale: 'pt-BR',
      currency: 'BRL',
      time_zone: 'America/Sao_Paulo',
    } as const
    const { owner, ...workspace } = await crm.operator.createWorkspace(input)
    expect(workspace).toEqual({
      id: workspace.id,
      name: 'New',
      slug: 'new',
      country: 'BR',
      locale: 'pt-BR',
      currency: 'BRL',
      time_zone: 'America/Sao_Paulo',
      visibility: { people: 'everyone', companies: 'everyone', deals: 'everyone', tasks: 'everyone' },
    })
    expect(owner).toEqual({ id: owner.id, name: 'Nia', email: 'nia@new.example', role: 'owner' })
    const actor = await crm.operator.actorFor({ workspace: 'new', email: 'nia@new.example' })
    expect(await crm.workspace.get(actor)).toMatchObject(workspace)
    expect(await storage.read((tx) => tx.users.get(owner.id))).toEqual({
      id: owner.id,
      name: 'Nia',
      email: 'nia@new.example',
      password_hash: 'hash of correct horse',
      email_verified_at: NOON,
      workspace_ids: [workspace.id],
      created_at: NOON,
      updated_at: NOON,
    })
  })

  test('requires no locale, currency, time zone or password', async () => {
    const { crm, storage } = await createTestCrm()
    const { owner, ...workspace } = await crm.operator.createWorkspace(NEW)
    expect(workspace).toMatchObject({ locale: 'en-US', currency: 'USD', time_zone: 'UTC' })
    expect((await storage.read((tx) => tx.users.get(owner.id)))?.password_hash).toBeNull()
  })

  test('adds an existing user with their account', async () => {
    const { crm, owner, storage } = await createTestCrm()
    const workspace = await crm.operator.createWorkspace({ ...NEW, owner_email: 'OLGA@acme.example' })
    expect(workspace.owner).toEqual({ id: owner.userId, ...OWNER, role: 'owner' })
    expect((await storage.read((tx) => tx.users.get(owner.userId)))?.workspace_ids).toEqual([
      owner.workspaceId,
      workspace.id,
    ])
  })

  test('with a taken slug is rejected and stores nothing', async () => {
    const { crm } = await createTestCrm()
    expect(await catchRejection(crm.operator.createWorkspace({ ...NEW, slug: 'ACME' }))).toEqual({
      code: 'conflict',
      message: CONFLICT_MESSAGE,
      fields: { slug: CONFLICT_MESSAGE },
    })
    expect(
      await catchRejection(crm.operator.actorFor({ workspace: 'acme', email: NEW.owner_email })),
    ).toMatchObject({
      message: 'Member not found.',
    })
  })

  test('reports every invalid field', async () => {
    const { crm } = await createTestCrm()
    const input = {
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
    expect(await catchFieldErrors(crm.operator.createWorkspace(input as never))).toEqual({
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
    expect(
      await catchFieldErrors(crm.operator.createWorkspace({ ...NEW, locale: 5, time_zone: 5 } as never)),
    ).toEqual({
      locale: 'Must be a string.',
      time_zone: 'Must be a string.',
    })
  })

  test('refuses a common password of its owner or of a member', async () => {
    const { crm } = await createTestCrm()
    const owner = { owner_name: 'Nia', owner_email: 'nia@new.example', owner_password: 'password1' }
    expect(
      await catchFieldErrors(crm.operator.createWorkspace({ name: 'New', slug: 'new', ...owner })),
    ).toEqual({ owner_password: 'Must not be one of the most common passwords.' })
    const member = {
      name: 'Nia',
      email: 'nia@new.example',
      role: 'member',
      password: 'nia@new.example',
    } as const
    expect(await catchFieldErrors(crm.operator.addMember({ workspace: 'acme', ...member }))).toEqual({
      password: 'Must not be made of the e-mail address.',
    })
  })
})
