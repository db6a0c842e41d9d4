import { readFile } from 'node:fs/promises'
import { CrmError, type ImportChanges, validatePatch } from '@sales-crm/core'
import { importChanges } from '@sales-crm/core/declarations'
import { readError } from './input-file.ts'

type Columns = NonNullable<ImportChanges['columns']>

const EXAMPLE = '[{"column": 0, "target": {"kind": "people", "field": "full_name"}}]'

/** Reads the `columns` of a change of an import. @throws Error of one line */
export async function readColumnsFile(path: string): Promise<Columns> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw readError(path, error)
  })
  const columns = parseJson(path, text)
  if (!Array.isArray(columns)) throw new Error(`${path} must be a list such as ${EXAMPLE}.`)
  try {
    return validatePatch(importChanges, { columns }).columns as Columns
  } catch (error) {
    throw explainColumnsError(path, error)
  }
}

/** Returns an error that names the file, if the error is about the columns. */
export function explainColumnsError(path: string, error: unknown): unknown {
  const rules = error instanceof CrmError ? Object.entries(error.fields ?? {}) : []
  const wrong = rules.filter(([field]) => /^columns\b/.test(field))
  if (wrong.length === 0) return error
  const text = wrong.map(([field, rule]) => `${field}: ${rule}`).join(' ')
  return new Error(`${path}: ${text}`, { cause: error })
}

function parseJson(path: string, text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch (error) {
    throw new Error(`${path} is no JSON (${(error as Error).message}). It must be a list such as ${EXAMPLE}.`)
  }
}
