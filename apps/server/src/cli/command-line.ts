import { type ParseArgsConfig, parseArgs } from 'node:util'
import { type Command, type Option, type Options, UsageError } from './command.ts'

export interface CommandLine {
  readonly json: boolean
  readonly help: boolean
  readonly fields: Readonly<Record<string, unknown>>
  readonly operand: string
}

/** Asks for a secret. Returns `undefined` without a terminal. */
export type Prompt = (question: string) => Promise<string | undefined>

/** @throws UsageError */
export async function parseCommandLine(
  argv: readonly string[],
  name: string,
  command: Command,
  prompt: Prompt,
): Promise<CommandLine> {
  const { values, positionals } = parseArguments(argv, command.options)
  const { json = false, help = false } = values
  const operands = positionals.slice(name.split(' ').length)
  if (help) return { json: Boolean(json), help: true, fields: {}, operand: '' }
  if (command.operand !== undefined && operands.length === 0)
    throw new UsageError(`${command.operand} is missing.`)
  const extra = operands[command.operand === undefined ? 0 : 1]
  if (extra !== undefined) throw new UsageError(`${extra} is one argument too many.`)
  const fields: Record<string, unknown> = {}
  for (const [option, rule] of Object.entries(command.options)) {
    const value = await readValue(option, rule, values[option], prompt)
    if (value !== undefined) fields[rule.field ?? option.replaceAll('-', '_')] = value
  }
  return { json: Boolean(json), help: false, fields, operand: operands[0] ?? '' }
}

type Value = string | boolean | (string | boolean)[] | undefined

function parseArguments(
  argv: readonly string[],
  options: Options,
): { values: Record<string, Value>; positionals: string[] } {
  const config: NonNullable<ParseArgsConfig['options']> = {
    json: { type: 'boolean' },
    help: { type: 'boolean', short: 'h' },
  }
  for (const [name, { kind }] of Object.entries(options))
    config[name] = { type: kind === 'flag' ? 'boolean' : 'string', multiple: kind === 'many' }
  try {
    return parseArgs({ args: [...argv], options: config, allowPositionals: true })
  } catch (error) {
    const [first = ''] = (error as Error).message.split(/\. |\n/)
    throw new UsageError(`${first.replace(/\.$/, '')}.`)
  }
}

async function readValue(
  name: string,
  { kind = 'text', required }: Option,
  value: Value,
  prompt: Prompt,
): Promise<unknown> {
  if (value === undefined && kind === 'password') return promptValue(name, required === true, prompt)
  if (value === undefined) {
    if (required) throw new UsageError(`--${name} is missing.`)
    return undefined
  }
  if (kind === 'list')
    return String(value)
      .split(',')
      .map((part) => part.trim())
  if (kind === 'pairs') return parsePairs(name, String(value))
  return kind === 'count' ? parseCount(name, String(value)) : value
}

/** `people=team,deals=owner` */
function parsePairs(name: string, text: string): Readonly<Record<string, string>> {
  const pairs = text.split(',').map((part) => part.split('=').map((each) => each.trim()))
  if (pairs.some(({ length }) => length !== 2))
    throw new UsageError(`--${name} must be pairs such as KIND=RULE, separated by commas.`)
  return Object.fromEntries(pairs)
}

async function promptValue(name: string, required: boolean, prompt: Prompt): Promise<string | undefined> {
  const answer = await prompt(`${name.replaceAll('-', ' ')}${required ? '' : ' (empty for none)'}: `)
  if (required && answer === undefined)
    throw new UsageError(`--${name} is missing, and there is no terminal to ask for it.`)
  if (required && answer === '') throw new UsageError(`--${name} is missing.`)
  return answer === '' ? undefined : answer
}

function parseCount(name: string, text: string): number {
  if (!/^\d{1,8}$/.test(text))
    throw new UsageError(`--${name} must be a whole number between 0 and 99999999.`)
  return Number(text)
}
