import * as v from 'valibot'
import { flag, instant, oneOf } from '../kernel/field-schemas.ts'
import type { Instant } from '../kernel/instant.ts'
import {
  countResponse,
  flagResponse,
  instantResponse,
  textResponse,
  uuidResponse,
} from '../kernel/response-schemas.ts'
import type { ColumnKind } from '../kernel/shape.ts'

/** A type of values: how they are stored, sent and answered. */
export interface ValueType<T, S extends v.GenericSchema = v.GenericSchema> {
  readonly column: ColumnKind
  /** Of what callers send; its output is stored. */
  readonly input: S
  readonly response: v.GenericSchema<unknown, T>
}

export function textOf<S extends v.GenericSchema<unknown, string | null>>(input: S): ValueType<string, S> {
  return { column: 'text', input, response: textResponse }
}

/** Integers from 0. */
export function integerOf<S extends v.GenericSchema<unknown, number>>(input: S): ValueType<number, S> {
  return { column: 'integer', input, response: countResponse }
}

export function choiceOf<const Options extends readonly string[]>(options: Options) {
  return choiceType<Options[number]>()(oneOf(options), v.picklist(options))
}

function choiceType<T extends string>() {
  return <S extends v.GenericSchema>(input: S, response: v.GenericSchema<unknown, T>): ValueType<T, S> => ({
    column: 'text',
    input,
    response,
  })
}

/** Values that are stored as JSON. */
export function jsonOf<T, S extends v.GenericSchema>(
  input: S,
  response: v.GenericSchema<unknown, T>,
): ValueType<T, S> {
  return { column: 'json', input, response }
}

export const instantType: ValueType<Instant, typeof instant> = {
  column: 'instant',
  input: instant,
  response: instantResponse,
}

/** An instant of which a day without a time is the end: `wholeDay` of it. */
export const dayType: ValueType<Instant, typeof instant> = { ...instantType }

export const flagType: ValueType<boolean, typeof flag> = {
  column: 'boolean',
  input: flag,
  response: flagResponse,
}

/** JSON that the service writes, such as a list of ids. */
export function storedJson<T>(): ValueType<T> {
  return jsonOf(v.unknown(), v.unknown() as v.GenericSchema<unknown, T>)
}

/** Text that the service writes. */
export const storedText: ValueType<string> = textOf(v.string())

export const storedTerms: ValueType<string> = { ...storedText, column: 'terms' }

export const uuidType: ValueType<string> = { ...storedText, column: 'uuid', response: uuidResponse }

export const storedCount: ValueType<number> = {
  column: 'integer',
  input: v.number(),
  response: countResponse,
}
