import { type Actor, type Crm, CrmError, validate } from '@sales-crm/core'
import type * as v from 'valibot'
import { mapRules } from './error-text.ts'
import { ALL_TOOL_SCOPES, type Scopes } from './tool-scopes.ts'
import { suggestFieldNames } from './unwrap-schema.ts'

/** Who calls, and what for. */
export interface Caller {
  readonly crm: Crm
  readonly actor: Actor
  /** Told of what no caller is to blame for. */
  reportError(thrown: unknown): void
}

export type Arguments = Readonly<Record<string, unknown>>

/** What a call comes to. One that failed as a whole is shown to the model as an error. */
export interface ToolResult {
  readonly result: Readonly<Record<string, unknown>>
  readonly failed?: boolean
}

/** What programs may assume of a tool before they ask a person. */
export interface Hints {
  readonly readOnlyHint: boolean
  readonly destructiveHint: boolean
  readonly idempotentHint: boolean
  readonly openWorldHint: false
}

export interface Tool {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly hints: Hints
  readonly output?: v.GenericSchema | undefined
  /** What a call may hold under these scopes; undefined where they open nothing of the tool. */
  input(scopes: Scopes): v.GenericSchema | undefined
  /** Every scope a call takes. Where the arguments do not tell which, they are themselves refused later. */
  requiredScopes(args: Arguments, scopes: Scopes): readonly string[]
  /** @throws CrmError for what is wrong with the call as a whole */
  run(caller: Caller, args: Arguments): Promise<ToolResult>
}

interface ToolDefinition<S extends v.GenericSchema> extends Omit<Tool, 'input' | 'run'> {
  input(scopes: Scopes): S | undefined
  /** As `input`, where what may be sent depends on what else was. */
  inputFor?(scopes: Scopes, args: Arguments): v.GenericSchema | undefined
  /** @param input what the schema made of `sent` */
  run(caller: Caller, input: v.InferOutput<S>, args: Arguments): Promise<ToolResult>
}

export const READ_HINTS: Hints = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
}
export const CREATE_HINTS: Hints = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: false,
  openWorldHint: false,
}
export const UPDATE_HINTS: Hints = { ...CREATE_HINTS, idempotentHint: true }
export const OVERWRITE_HINTS: Hints = { ...UPDATE_HINTS, destructiveHint: true }

/** A tool that is handed what its schema makes of a call. An argument that is null is one left out. */
export function defineTool<S extends v.GenericSchema>({ run, inputFor, ...tool }: ToolDefinition<S>): Tool {
  const schemaFor = inputFor ?? tool.input
  return {
    ...tool,
    async run(caller, args) {
      const nonNullArgs = Object.fromEntries(Object.entries(args).filter(([, value]) => value !== null))
      // Whoever lacks a scope was refused before, if the call said which: where it did not, it is told what it could have said.
      const schema = schemaFor(caller.actor.scopes, nonNullArgs) ?? schemaFor(ALL_TOOL_SCOPES, nonNullArgs)
      return run(caller, validateArguments(schema as S, nonNullArgs), nonNullArgs)
    },
  }
}

/** @throws CrmError `validation_error`, which also names the fields there are where one is unknown */
function validateArguments<S extends v.GenericSchema>(schema: S, args: Arguments): v.InferOutput<S> {
  try {
    return validate(schema, args)
  } catch (thrown) {
    throw thrown instanceof CrmError ? mapRules(thrown, suggestFieldNames(schema)) : thrown
  }
}
