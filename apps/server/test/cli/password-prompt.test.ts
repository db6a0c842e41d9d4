import { expect, test } from 'vitest'
import { parseCommandLine } from '../../src/cli/command-line.ts'
import { COMMANDS } from '../../src/cli/commands.ts'
import { ACME, PASSWORD } from '../support/crm-cli.ts'

const MAX = [
  'member',
  'add',
  '--workspace',
  'acme',
  '--name',
  'Max',
  '--email',
  'max@acme.example',
  '--role',
  'member',
]

function parse(name: string, args: readonly string[], answer: string | undefined) {
  const questions: string[] = []
  const ask = async (question: string) => {
    questions.push(question)
    return answer
  }
  return { questions, line: parseCommandLine(args, name, COMMANDS.get(name)!, ask) }
}

test('a password left out is asked for', async () => {
  const { questions, line } = parse('workspace create', ACME, 'typed-in-silence')
  expect((await line).fields['owner_password']).toBe('typed-in-silence')
  expect(questions).toEqual(['owner password: '])
})

test('a password that was given is not asked for', async () => {
  const { questions, line } = parse('workspace create', [...ACME, ...PASSWORD], 'typed-in-silence')
  expect((await line).fields['owner_password']).toBe('a-long-password')
  expect(questions).toEqual([])
})

test('a member may go without a password, an owner may not', async () => {
  const { questions, line } = parse('member add', MAX, '')
  expect((await line).fields).not.toHaveProperty('password')
  expect(questions).toEqual(['password (empty for none): '])
  await expect(parse('workspace create', ACME, '').line).rejects.toThrow('--owner-password is missing')
})

test('help asks for nothing', async () => {
  const { questions, line } = parse('workspace create', ['workspace', 'create', '--help'], undefined)
  expect((await line).help).toBe(true)
  expect(questions).toEqual([])
})
