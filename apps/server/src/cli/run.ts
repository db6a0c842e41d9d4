import { CrmError } from '@sales-crm/core'
import { explainDatabaseError } from '../process/database-error.ts'
import { environment, loadSettings } from '../process/settings.ts'
import { type CommandContext, type Options, UsageError } from './command.ts'
import { parseCommandLine } from './command-line.ts'
import { COMMANDS } from './commands.ts'
import { commandHelp, commandOverview, usageLine } from './help.ts'
import { promptPassword } from './password-prompt.ts'
import { formatTable } from './table.ts'

/** Runs a command. Returns the exit code: 0 for success, 1 for a failure, 2 for wrong usage. */
export async function runCommandLine(argv: readonly string[]): Promise<number> {
  const name = commandName(argv)
  const command = name === undefined ? undefined : COMMANDS.get(name)
  if (name === undefined || !command) return handleUnknownCommand(argv)
  try {
    const { json, help, fields, operand } = await parseCommandLine(argv, name, command, promptPassword)
    if (help) return printLine(commandHelp(name, command))
    const { value, text, isPrinted, hasFailed } = await command.run(createContext(fields, operand, json))
    if (!isPrinted) printLine(json ? JSON.stringify(value) : (text ?? formatTable(value)))
    return hasFailed ? 1 : 0
  } catch (error) {
    if (error instanceof UsageError)
      return printError(`${error.message}\nUsage: ${usageLine(name, command)}`, 2)
    return printError(errorMessage(error, command.options), 1)
  }
}

/** Returns the longest command name that the arguments begin with, not counting options. */
function commandName(argv: readonly string[]): string | undefined {
  const [first = '', second = ''] = argv.filter((word) => !word.startsWith('-'))
  return [`${first} ${second}`, first].find((name) => COMMANDS.has(name))
}

function handleUnknownCommand(argv: readonly string[]): number {
  if (argv.includes('--help') || argv.includes('-h')) return printLine(commandOverview(COMMANDS))
  const words = argv.filter((word) => !word.startsWith('-')).slice(0, 2)
  return printError(
    words.length > 0 ? `There is no command ${words.join(' ')}. See --help.` : commandOverview(COMMANDS),
    2,
  )
}

function createContext(fields: CommandContext['fields'], operand: string, json: boolean): CommandContext {
  return {
    ...{ fields, operand, json },
    settings: () => loadSettings(environment()),
    progress(line) {
      if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${line}`)
    },
  }
}

/** Formats an error in one line, with options instead of fields. */
function errorMessage(error: unknown, options: Options): string {
  if (error instanceof CrmError) return crmErrorMessage(error, options)
  const explained = explainDatabaseError(error)
  return (explained instanceof Error ? explained.message : String(explained)).replaceAll(/\s*\n\s*/g, ' ')
}

function crmErrorMessage({ message, entity, fields }: CrmError, options: Options): string {
  if (fields)
    return Object.entries(fields)
      .map(([path, rule]) => `${optionName(path, options)}: ${rule}`)
      .join(' ')
  const [option] =
    Object.entries(options).find(([, { names }]) => names !== undefined && names === entity) ?? []
  return option === undefined ? message : `--${option}: ${message}`
}

/** Returns the option of a field, such as `--redirect-uri` for `redirect_uris[0]`. */
function optionName(path: string, options: Options): string {
  const [field = path] = path.split(/[.[]/)
  const [name] = Object.entries(options).find(([, option]) => option.field === field) ?? [
    field.replaceAll('_', '-'),
  ]
  return `--${name}`
}

function printLine(text: string): number {
  process.stdout.write(`${text}\n`)
  return 0
}

function printError(text: string, code: number): number {
  process.stderr.write(`${text}\n`)
  return code
}
