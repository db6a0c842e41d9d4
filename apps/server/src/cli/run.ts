import { CrmError } from '@sales-crm/core'
import { environment, loadSettings } from '../config.ts'
import { databaseProblem } from '../database-problem.ts'
import { parseCommandLine } from './arguments.ts'
import { askPassword } from './ask.ts'
import { type Given, type Options, UsageError } from './command.ts'
import { COMMANDS } from './commands.ts'
import { helpFor, overview, usageOf } from './help.ts'
import { tableOf } from './table.ts'

/** Runs the command that the arguments name. Gives the exit code: 0, 1 for what failed, 2 for wrong usage. */
export async function run(argv: readonly string[]): Promise<number> {
  const name = commandName(argv)
  const command = name === undefined ? undefined : COMMANDS.get(name)
  if (name === undefined || !command) return withoutCommand(argv)
  try {
    const { json, help, fields, operand } = await parseCommandLine(argv, name, command, askPassword)
    if (help) return print(helpFor(name, command))
    const { value, text, failed } = await command.run(givenTo(fields, operand))
    print(json ? JSON.stringify(value) : (text ?? tableOf(value)))
    return failed ? 1 : 0
  } catch (error) {
    if (error instanceof UsageError) return complain(`${error.message}\nUsage: ${usageOf(name, command)}`, 2)
    return complain(problem(error, command.options), 1)
  }
}

/** The longest name the arguments begin with, options apart. */
function commandName(argv: readonly string[]): string | undefined {
  const [first = '', second = ''] = argv.filter((word) => !word.startsWith('-'))
  return [`${first} ${second}`, first].find((name) => COMMANDS.has(name))
}

function withoutCommand(argv: readonly string[]): number {
  if (argv.includes('--help') || argv.includes('-h')) return print(overview(COMMANDS))
  const words = argv.filter((word) => !word.startsWith('-')).slice(0, 2)
  return complain(words.length > 0 ? `There is no command ${words.join(' ')}. See --help.` : overview(COMMANDS), 2)
}

function givenTo(fields: Given['fields'], operand: string): Given {
  return {
    fields,
    operand,
    settings: () => loadSettings(environment()),
    progress(line) {
      if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${line}`)
    },
  }
}

/** One line, in the words of the command line. */
function problem(error: unknown, options: Options): string {
  if (error instanceof CrmError) return refusal(error, options)
  const known = databaseProblem(error)
  return (known instanceof Error ? known.message : String(known)).replaceAll(/\s*\n\s*/g, ' ')
}

function refusal({ message, fields }: CrmError, options: Options): string {
  if (fields)
    return Object.entries(fields)
      .map(([path, rule]) => `${optionFor(path, options)}: ${rule}`)
      .join(' ')
  const [missing] = Object.entries(options).find(([, { names }]) => names !== undefined && message === `${names} not found.`) ?? []
  return missing === undefined ? message : `--${missing}: ${message}`
}

/** `redirect_uris[0]` came from `--redirect-uri`. */
function optionFor(path: string, options: Options): string {
  const [field = path] = path.split(/[.[]/)
  const [name] = Object.entries(options).find(([, option]) => option.field === field) ?? [field.replaceAll('_', '-')]
  return `--${name}`
}

function print(text: string): number {
  process.stdout.write(`${text}\n`)
  return 0
}

function complain(text: string, code: number): number {
  process.stderr.write(`${text}\n`)
  return code
}
