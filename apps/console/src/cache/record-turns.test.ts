import { expect, test } from 'vitest'
import { RecordTurns } from './record-turns.ts'

/** Calls that are listed when they begin, and answered by hand. */
function createCalls() {
  const begun: string[] = []
  return {
    begun,
    create(name: string) {
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      const call = () => {
        begun.push(name)
        return promise
      }
      return { call, answer: resolve, refuse: () => reject(new Error('Refused.')) }
    },
  }
}

const settle = async () => {
  for (let ticks = 0; ticks < 10; ticks++) await Promise.resolve()
}

test('changes of one record wait for each other, those of others do not', async () => {
  const turns = new RecordTurns()
  const { begun, create } = createCalls()
  const [first, second, other] = [create('a1'), create('a2'), create('b1')]
  void turns.take(['a']).call('a', first.call)
  void turns.take(['a']).call('a', second.call)
  void turns.take(['b']).call('b', other.call)
  await settle()
  expect(begun).toEqual(['a1', 'b1'])
  first.answer()
  await settle()
  expect(begun).toEqual(['a1', 'b1', 'a2'])
})

test('a refusal ends the turn, and so does a call that is never made', async () => {
  const turns = new RecordTurns()
  const { begun, create } = createCalls()
  const [refused, last] = [create('a1'), create('a3')]
  const first = turns.take(['a']).call('a', refused.call)
  const never = turns.take(['a'])
  void turns.take(['a']).call('a', last.call)
  refused.refuse()
  await expect(first).rejects.toThrow('Refused.')
  await settle()
  expect(begun).toEqual(['a1'])
  never.end()
  await settle()
  expect(begun).toEqual(['a1', 'a3'])
})

test('the turns are in the order in which they are taken, not in that of the calls', async () => {
  const turns = new RecordTurns()
  const { begun, create } = createCalls()
  const [early, late] = [turns.take(['a']), turns.take(['a'])]
  const [first, second] = [create('first'), create('second')]
  void late.call('a', second.call)
  void early.call('a', first.call)
  first.answer()
  await settle()
  expect(begun).toEqual(['first', 'second'])
})
