import { expect, test } from 'vitest'
import { UndoStack } from './undo-stack.ts'

function createStack(limit = 20) {
  const stack = new UndoStack(limit)
  const log: string[] = []
  const add = (name: string) => {
    const takeBack = () => void log.push(name)
    stack.add(takeBack)
    return takeBack
  }
  return { stack, log, add }
}

test('changes are taken back one after the other, each once', () => {
  const { stack, log, add } = createStack()
  add('first')
  add('second')
  for (let presses = 0; presses < 3; presses++) stack.run()
  expect(log).toEqual(['second', 'first'])
})

test('a change that is not the last one can be taken back alone', () => {
  const { stack, log, add } = createStack()
  const first = add('first')
  add('second')
  stack.run(first)
  stack.run(first)
  stack.run()
  expect(log).toEqual(['first', 'second'])
})

test('a refused change is not taken back', () => {
  const { stack, log, add } = createStack()
  add('first')
  stack.delete(add('refused'))
  stack.run()
  expect(log).toEqual(['first'])
})

test('nothing is taken back after a change that stays, and no more than the limit', () => {
  const { stack, log, add } = createStack(2)
  add('before')
  stack.clear()
  for (const name of ['first', 'second', 'third']) add(name)
  for (let presses = 0; presses < 3; presses++) stack.run()
  expect(log).toEqual(['third', 'second'])
})
