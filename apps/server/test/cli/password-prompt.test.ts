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

function parse(name: string, args: readonly string[], input: string | undefined) {
  const questions: string[] = []
  const prompt = async (question: string) => {
    questions.push(question)
    return input
  }
  return { questions, commandLine: parseCommandLine(args, name, COMMANDS.get(name)!, prompt) }
}

test('prompts for a missing password', async () => {
  const { questions, commandLine } = parse('workspace create', ACME, 'typed-in-silence')
  expect((await commandLine).fields['owner_password']).toBe('typed-in-silence')
  expect(questions).toEqual(['owner password: '])
})

test('does not prompt for a password that is set', async () => {
  const { questions, commandLine } = parse('workspace create', [...ACME, ...PASSWORD], 'typed-in-silence')
  expect((await commandLine).fields['owner_password']).toBe('a-long-password')
  expect(questions).toEqual([])
})

test('allows an empty password for a member but not for an owner', async () => {
  const { questions, commandLine } = parse('member add', MAX, '')
  expect((await commandLine).fields).not.toHaveProperty('password')
  expect(questions).toEqual(['password (empty for none): '])
  await expect(parse('workspace create', ACME, '').commandLine).rejects.toThrow('--owner-password is missing')
})

test('--help prompts for nothing', async () => {
  const { questions, commandLine } = parse('workspace create', ['workspace', 'create', '--help'], undefined)
  expect((await commandLine).help).toBe(true)
  expect(questions).toEqual([])
})
