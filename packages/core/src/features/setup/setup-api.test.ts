import { describe, expect, test } from 'vitest'
import { runTwenty } from '../../../test/accounts.ts'
import { catchFieldErrors, createTestCrm, type TestCrm } from '../../../test/harness.ts'
import { createCrm } from '../../crm.ts'
import { memoryStorage } from '../../memory/index.ts'

const INPUT = {
  name: 'Aurora Sistemas',
  slug: 'aurora',
  country: 'BR',
  currency: 'BRL',
  locale: 'pt-BR',
  time_zone: 'America/Sao_Paulo',
  owner_name: 'Ana Lima',
  owner_email: 'ana@aurora.example',
  owner_password: 'correct horse',
} as const

/** A service without a workspace. */
async function openEmptyService(): Promise<Pick<TestCrm, 'crm' | 'clock'>> {
  const { ports, clock } = await createTestCrm()
  return { crm: createCrm({ ...ports, storage: memoryStorage() }), clock }
}

describe('the setup', () => {
  test('makes the workspace and signs its owner in, once', async () => {
    const { crm } = await openEmptyService()
    expect(await crm.setup.isNeeded()).toBe(true)
    const token = (await crm.setup.createLink())!
    expect(await crm.setup.isLinkValid(token)).toBe(true)
    const { session, slug } = (await crm.setup.run(token, INPUT))!
    expect(slug).toBe('aurora')
    const userSession = (await crm.accounts.userSession(session.token))!
    expect(await crm.accounts.workspaces(userSession)).toMatchObject([{ slug: 'aurora', role: 'owner' }])
    const actor = await crm.operator.actorFor({ workspace: 'aurora', email: INPUT.owner_email })
    const { owner_name, owner_email, owner_password, ...settings } = INPUT
    expect(await crm.workspace.get(actor)).toMatchObject(settings)
    expect((await crm.taskTypes.list(actor)).meta.total).toBe(4)
    expect(await crm.setup.isNeeded()).toBe(false)
    expect(await crm.setup.isLinkValid(token)).toBe(false)
    expect(await crm.setup.run(token, { ...INPUT, slug: 'second' })).toBeUndefined()
    expect(await crm.setup.run(undefined, { ...INPUT, slug: 'second' })).toBeUndefined()
    expect(await crm.setup.createLink()).toBeUndefined()
  })

  test.each(['by the link', 'without a link', 'without any link'])(
    'succeeds once for twenty at once, %s',
    async (way) => {
      const { crm } = await openEmptyService()
      const link = way === 'without any link' ? undefined : await crm.setup.createLink()
      let nth = 0
      const results = await runTwenty(() => {
        nth += 1
        const token = way === 'by the link' ? link : undefined
        return crm.setup.run(token, { ...INPUT, slug: `aurora-${nth}` })
      })
      expect(results.filter((result) => result !== undefined)).toHaveLength(1)
      expect(await crm.operator.allWorkspaces()).toHaveLength(1)
    },
  )

  test('takes no link that was replaced, has expired or is another', async () => {
    const { crm, clock } = await openEmptyService()
    const replaced = (await crm.setup.createLink())!
    const current = (await crm.setup.createLink())!
    for (const token of [replaced, '', 'x', current.replace(/.$/, (last) => (last === '0' ? '1' : '0'))]) {
      expect(await crm.setup.isLinkValid(token)).toBe(false)
      expect(await crm.setup.run(token, INPUT)).toBeUndefined()
    }
    clock.advance(30 * 86_400)
    expect(await crm.setup.run(current, INPUT)).toBeUndefined()
    expect(await crm.setup.isNeeded()).toBe(true)
  })

  test('names every fault, and leaves the link valid', async () => {
    const { crm } = await openEmptyService()
    const token = (await crm.setup.createLink())!
    const faults = await catchFieldErrors(
      crm.setup.run(token, {
        ...INPUT,
        name: '',
        slug: 'a b',
        time_zone: 'Mars/Base',
        owner_email: 'x',
        owner_password: 'short',
      }),
    )
    expect(Object.keys(faults)).toEqual(['name', 'slug', 'time_zone', 'owner_email', 'owner_password'])
    expect(
      await catchFieldErrors(crm.setup.run(token, { ...INPUT, owner_password: 'password1' })),
    ).toHaveProperty('owner_password')
    expect(await crm.setup.isLinkValid(token)).toBe(true)
  })
})
