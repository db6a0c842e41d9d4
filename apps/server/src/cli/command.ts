import type { Settings } from '../process/config.ts'
import { type OpenDatabase, type OpenStore, openDatabase, openStore } from '../process/open-store.ts'

export interface Option {
  /** What stands for the value in the usage: `SLUG`. */
  readonly value: string
  readonly help: string
  /** `many` may be given again and again, `list` is parted by commas, a `password` left out is asked for. Default `text`. */
  readonly kind?: 'text' | 'many' | 'list' | 'count' | 'password'
  readonly required?: true
  /** What the core calls it, where that is not the option's name. */
  readonly field?: string
  /** The kind of record it names, as refusals write it: `Workspace`. */
  readonly names?: string
}

export type Options = Readonly<Record<string, Option>>

export interface Command {
  readonly summary: string
  readonly options: Options
  /** The one argument without a name, where there is one: `FILE`. */
  readonly operand?: string
  run(context: CommandContext): Promise<CommandResult>
}

export interface CommandContext {
  /** The options that were given, under the core's names. */
  readonly fields: Readonly<Record<string, unknown>>
  /** Empty for a command without one. */
  readonly operand: string
  /** @throws Error naming the bad setting */
  settings(): Settings
  /** Shows a line that the next one replaces; nowhere but on a terminal. */
  progress(line: string): void
}

export interface CommandResult {
  readonly value: object
  /** For people, in place of the table of `value`. */
  readonly text?: string
  readonly failed?: boolean
}

/** The command line was wrong, before anything was done. */
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

/** The database alone: its tables are left as they are, and no secret key is asked for or made. */
export async function withDatabase<T>(
  context: CommandContext,
  work: (database: OpenDatabase) => Promise<T>,
): Promise<T> {
  const database = await openDatabase(context.settings(), { isServer: false, migrate: false })
  return work(database).finally(database.close)
}

/** A command that hands its options to the core, which validates them: hence the one cast. */
export function runOnStore<Input>(work: (input: Input, store: OpenStore) => Promise<object>): Command['run'] {
  return async (context) => ({
    value: await withOpenStore(context, (store) => work(context.fields as Input, store)),
  })
}
