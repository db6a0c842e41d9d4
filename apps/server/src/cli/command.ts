import { type OpenDatabase, type OpenStore, openDatabase, openStore } from '../process/open-store.ts'
import type { Settings } from '../process/settings.ts'

export interface Option {
  /** Placeholder of the value in the usage text: `SLUG`. Empty for a `flag`. */
  readonly value: string
  readonly help: string
  /**
   * `many` can be repeated, `list` is comma-separated, as are `pairs` of names and values, a missing `password` is
   * prompted for, a `flag` has no value. Default `text`.
   */
  readonly kind?: 'text' | 'many' | 'list' | 'pairs' | 'count' | 'password' | 'flag'
  readonly required?: true
  /** Field name in the core, if it differs from the option's name. */
  readonly field?: string
  /** Record type that the option identifies, as in error messages: `Workspace`. */
  readonly names?: string
}

export type Options = Readonly<Record<string, Option>>

export interface Command {
  readonly summary: string
  readonly options: Options
  /** Placeholder of the positional argument, if there is one: `FILE`. */
  readonly operand?: string
  run(context: CommandContext): Promise<CommandResult>
}

export interface CommandContext {
  /** Values of the options, by the field names of the core. */
  readonly fields: Readonly<Record<string, unknown>>
  /** Empty for a command without an operand. */
  readonly operand: string
  /** True if the result is printed as JSON. */
  readonly json: boolean
  /** @throws Error that names the invalid setting */
  settings(): Settings
  /** Shows a line that the next one replaces. Does nothing without a terminal. */
  progress(line: string): void
}

export interface CommandResult {
  readonly value: object
  /** Output for people, instead of the table of `value`. */
  readonly text?: string
  /** True if the command has written what it prints. */
  readonly isPrinted?: boolean
  readonly hasFailed?: boolean
}

/** Invalid command line, detected before the command runs. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

export async function withOpenStore<T>(
  context: CommandContext,
  work: (store: OpenStore) => Promise<T>,
): Promise<T> {
  const store = await openStore(context.settings(), { isServer: false })
  return work(store).finally(store.close)
}

/** Opens the database only: does not migrate its tables, and neither reads nor creates the secret key. */
export async function withDatabase<T>(
  context: CommandContext,
  work: (database: OpenDatabase) => Promise<T>,
): Promise<T> {
  const database = await openDatabase(context.settings(), { isServer: false, migrate: false })
  return work(database).finally(database.close)
}

/** Passes the options to `work` unchecked: the core validates them, hence the cast. */
export function runOnStore<Input>(work: (input: Input, store: OpenStore) => Promise<object>): Command['run'] {
  return async (context) => ({
    value: await withOpenStore(context, (store) => work(context.fields as Input, store)),
  })
}
