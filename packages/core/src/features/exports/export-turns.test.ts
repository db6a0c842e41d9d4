import { expect, test } from 'vitest'
import { ExportTurns } from './export-turns.ts'

test('exports of workspaces take turns in the order of their calls, one of each workspace', async () => {
  const turns = new ExportTurns()
  const steps: string[] = []
  const take = async (workspace: string) => {
    const endTurn = await turns.take(workspace)
    steps.push(`begin ${workspace}`)
    return () => {
      steps.push(`end ${workspace}`)
      endTurn()
    }
  }
  const first = await take('a')
  const [second, third] = [take('b'), take('c')]
  await expect(take('b')).rejects.toMatchObject({ code: 'rate_limit_exceeded', retryAfterSeconds: 10 })
  first()
  await new Promise(setImmediate)
  expect(steps).toEqual(['begin a', 'end a', 'begin b'])
  ;(await second)()
  ;(await third)()
  ;(await take('a'))()
  expect(steps.slice(3)).toEqual(['end b', 'begin c', 'end c', 'begin a', 'end a'])
})
