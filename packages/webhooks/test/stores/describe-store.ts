import { describe, expect, test } from 'vitest'
import type { IdStore } from '../../src/index.ts'

/** The guarantees of every store. Each call of `open` returns an empty one. */
export function describeStore(name: string, open: () => Promise<IdStore<unknown>>): void {
  describe(`the ${name} store`, () => {
    test('runs an id once, and tells when it was processed before', async () => {
      const store = await open()
      const runs: string[] = []
      const run = (id: string) => store.runOnce(id, async () => void runs.push(id))
      expect([await run('a'), await run('b'), await run('a'), await run('b')]).toEqual([
        true,
        true,
        false,
        false,
      ])
      expect(runs).toEqual(['a', 'b'])
    })

    test('runs one of twenty concurrent calls, and the others wait for it', async () => {
      const store = await open()
      const { promise: isReleased, resolve: release } = Promise.withResolvers<void>()
      const { promise: hasStarted, resolve: start } = Promise.withResolvers<void>()
      let [runs, settled] = [0, 0]
      const calls = Array.from({ length: 20 }, async () => {
        const isNew = await store.runOnce('same', async () => {
          runs += 1
          start()
          await isReleased
        })
        settled += 1
        return isNew
      })
      await hasStarted
      expect(settled).toBe(0)
      release()
      expect((await Promise.all(calls)).filter(Boolean)).toEqual([true])
      expect(runs).toBe(1)
    })

    test('leaves an id unprocessed when its process fails', async () => {
      const store = await open()
      const fail = () => store.runOnce('a', () => Promise.reject(new Error('No disk.')))
      await expect(fail()).rejects.toThrow('No disk.')
      await expect(fail()).rejects.toThrow('No disk.')
      expect(await store.runOnce('a', async () => {})).toBe(true)
      expect(await store.runOnce('a', async () => {})).toBe(false)
    })

    test('runs a waiting call when the one before it fails', async () => {
      const store = await open()
      let runs = 0
      const calls = Array.from({ length: 5 }, () =>
        store.runOnce('same', async () => {
          runs += 1
          if (runs <= 2) throw new Error('No disk.')
        }),
      )
      const results = await Promise.allSettled(calls)
      expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(2)
      expect(results.filter((result) => result.status === 'fulfilled' && result.value)).toHaveLength(1)
      expect(runs).toBe(3)
    })

    test('processes different ids after a failure among them', async () => {
      const store = await open()
      const results = await Promise.allSettled(
        Array.from({ length: 20 }, (_, nth) =>
          store.runOnce(`id-${nth}`, async () => {
            if (nth % 2 === 0) throw new Error('No disk.')
          }),
        ),
      )
      expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(10)
    })

    test('does not read an id as SQL or as a pattern', async () => {
      const store = await open()
      for (const id of [
        "'); drop table processed_webhook_ids; --",
        '%',
        '\\',
        '__proto__',
        'É',
        'é',
        'E',
        'e',
      ])
        expect(await store.runOnce(id, async () => {}), id).toBe(true)
    })
  })
}
