import { randomBytes, randomUUID } from 'node:crypto'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { decodeBase64, encodeBase64 } from '@oslojs/encoding'

export const SECRET_KEY_BYTES = 32
const HOW_TO_MAKE_ONE = 'Make one with: openssl rand -base64 32'

export interface SecretKeySource {
  /** The setting SECRET_KEY: 32 bytes in Base64. */
  readonly secretKey: string | undefined
  readonly dataDir: string
  /** False where several machines must have the same key, so that one kept here would be wrong. */
  readonly mayKeepFile: boolean
}

/**
 * The service's secret key: the setting, else the file `secret.key` in the data folder, made on the first start.
 * @throws Error with one line for the operator
 */
export async function secretKeyFrom({ secretKey, dataDir, mayKeepFile }: SecretKeySource): Promise<Uint8Array> {
  if (secretKey !== undefined) return keyIn(secretKey, `SECRET_KEY must be 32 bytes in Base64. ${HOW_TO_MAKE_ONE}`)
  const file = join(dataDir, 'secret.key')
  if (!mayKeepFile) throw new Error(`SECRET_KEY must be set with PostgreSQL, because replicas share it. ${HOW_TO_MAKE_ONE}`)
  const text = (await readIfThere(file)) ?? (await makeOnce(file))
  return keyIn(
    text.trim(),
    `${file} does not hold 32 bytes in Base64. Put back the key that was there, or delete the file if no data was made with it.`,
  )
}

function keyIn(text: string, complaint: string): Uint8Array {
  try {
    const key = decodeBase64(text)
    if (key.length === SECRET_KEY_BYTES) return key
  } catch {
    // Said below: what is wrong with the text must not show the text.
  }
  throw new Error(complaint)
}

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw unusable(file, error)
  }
}

async function makeOnce(file: string): Promise<string> {
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 })
    await publish(file, `${encodeBase64(randomBytes(SECRET_KEY_BYTES))}\n`)
    return await readFile(file, 'utf8')
  } catch (error) {
    throw unusable(file, error)
  }
}

/** A link appears whole and never replaces: of processes that start at once, the first decides and the others read its key. */
async function publish(file: string, text: string): Promise<void> {
  const draft = `${file}.${randomUUID()}`
  try {
    await writeFile(draft, text, { flag: 'wx', mode: 0o600, flush: true })
    await link(draft, file)
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  } finally {
    await rm(draft, { force: true })
  }
}

function unusable(file: string, error: unknown): Error {
  const reason = error instanceof Error ? error.message : String(error)
  return new Error(`Cannot read or make ${file} (${reason}). Let the service write to that folder, or set SECRET_KEY.`, { cause: error })
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}
