import { PROGRAMS } from '../process/program-names.ts'
import type { Command, Option } from './command.ts'
import { formatColumns } from './table.ts'

export function usageLine(name: string, { operand, options }: Pick<Command, 'operand' | 'options'>): string {
  const parts = Object.entries(options).map(([option, rule]) => {
    const text = `${optionText(option, rule)}${rule.kind === 'many' ? '…' : ''}`
    return rule.required && rule.kind !== 'password' ? text : `[${text}]`
  })
  return [PROGRAMS.operate, name, ...(operand === undefined ? [] : [operand]), ...parts, '[--json]'].join(' ')
}

export function commandHelp(name: string, command: Command): string {
  const { summary, options } = command
  const rows = Object.entries(options).map(([option, rule]) => [optionText(option, rule), helpText(rule)])
  const lines = [...rows, ['--json', 'print one JSON object and nothing else']]
  return `${toSentence(summary)}\n\nUsage: ${usageLine(name, command)}\n\n${indent(formatColumns(lines))}`
}

export function commandOverview(commands: ReadonlyMap<string, Command>): string {
  const rows = [...commands].map(([name, { summary }]) => [name, summary])
  const usage = `Usage: ${PROGRAMS.operate} COMMAND [OPTIONS] [--json]`
  return `${usage}\n\n${indent(formatColumns(rows))}\n\nCOMMAND --help says more about each.`
}

function optionText(option: string, { value }: Option): string {
  return value === '' ? `--${option}` : `--${option} ${value}`
}

function helpText({ help, required }: Option): string {
  return required ? help : `${help} (optional)`
}

function toSentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}

function indent(text: string): string {
  return text.replaceAll(/^/gm, '  ')
}
