import type { Command, Option } from './command.ts'
import { columns } from './table.ts'

const PROGRAM = 'npm run crm --'

export function usageOf(name: string, { operand, options }: Pick<Command, 'operand' | 'options'>): string {
  const parts = Object.entries(options).map(([option, rule]) => {
    const text = `--${option} ${rule.value}${rule.kind === 'many' ? '…' : ''}`
    return rule.required && rule.kind !== 'password' ? text : `[${text}]`
  })
  return [PROGRAM, name, ...(operand === undefined ? [] : [operand]), ...parts, '[--json]'].join(' ')
}

export function helpFor(name: string, command: Command): string {
  const { summary, options } = command
  const rows = Object.entries(options).map(([option, rule]) => [`--${option} ${rule.value}`, helpText(rule)])
  const lines = [...rows, ['--json', 'print one JSON object and nothing else']]
  return `${sentence(summary)}\n\nUsage: ${usageOf(name, command)}\n\n${indented(columns(lines))}`
}

export function overview(commands: ReadonlyMap<string, Command>): string {
  const rows = [...commands].map(([name, { summary }]) => [name, summary])
  return `Usage: ${PROGRAM} COMMAND [OPTIONS] [--json]\n\n${indented(columns(rows))}\n\nCOMMAND --help says more about each.`
}

function helpText({ help, required }: Option): string {
  return required ? help : `${help} (optional)`
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}

function indented(text: string): string {
  return text.replaceAll(/^/gm, '  ')
}
