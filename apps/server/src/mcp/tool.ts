import { CrmError, validate } from '@sales-crm/core'
import type * as v from 'valibot'
import { mapRules } from './error-text.ts'
import { ALL_TOOL_SCOPES, type Scopes } from './tool-scopes.ts'
import type { Caller } from './types.ts'
import { suggestFieldNames } from './unwrap-schema.ts'

export type Arguments = Readonly<Record<string, unknown>>

/** Result of a call. If the call failed as a whole, the model sees the result as an error. */
export interface ToolResult {
  readonly result: Readonly<Record<string, unknown>>
  readonly hasFailed?: boolean
}

/** Annotations that clients consider before they ask the user for permission. */
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
  /** What a call adds to the workspace, if its quota bounds it. */
  readonly write?: 'create' | 'update'
  readonly output?: v.GenericSchema | undefined
  /** Schema of the arguments allowed by the scopes; undefined if they allow no use of the tool. */
  input(scopes: Scopes): v.GenericSchema | undefined
  /** All scopes that a call needs. Arguments that do not determine them are rejected by `run`. */
  requiredScopes(args: Arguments, scopes: Scopes): readonly string[]
  /** @throws CrmError if the call as a whole is invalid */
  run(caller: Caller, args: Arguments): Promise<ToolResult>
}

interface ToolDefinition<S extends v.GenericSchema> extends Omit<Tool, 'input' | 'run'> {
  input(scopes: Scopes): S | undefined
  /** Schema for these arguments, if it depends on their values. Replaces `input` for validation. */
  inputFor?(scopes: Scopes, args: Arguments): v.GenericSchema | undefined
  /** @param input `args` as parsed by the schema */
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

/** Creates a tool whose `run` gets validated arguments. A null argument counts as omitted. */
export function defineTool<S extends v.GenericSchema>({ run, inputFor, ...tool }: ToolDefinition<S>): Tool {
  const schemaFor = inputFor ?? tool.input
  return {
    ...tool,
    async run(caller, args) {
      const nonNullArgs = Object.fromEntries(Object.entries(args).filter(([, value]) => value !== null))
      // A call that lacks a scope was rejected before, if its arguments determined the scope. If not, the
      // schema for all scopes is used, so that the error lists every valid argument.
      const schema = schemaFor(caller.actor.scopes, nonNullArgs) ?? schemaFor(ALL_TOOL_SCOPES, nonNullArgs)
      return run(caller, validateArguments(schema as S, nonNullArgs), nonNullArgs)
    },
  }
}

/** @throws CrmError `validation_error`; the rule for an unknown field lists the valid names */
function validateArguments<S extends v.GenericSchema>(schema: S, args: Arguments): v.InferOutput<S> {
  try {
    return validate(schema, args)
  } catch (thrown) {
    throw thrown instanceof CrmError ? mapRules(thrown, suggestFieldNames(schema)) : thrown
  }
}
