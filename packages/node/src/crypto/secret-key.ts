import { randomBytes, randomUUID } from 'node:crypto'
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { decodeBase64, encodeBase64 } from '@oslojs/encoding'

export const SECRET_KEY_BYTES = 32
const GENERATE_HINT = 'Make one with: openssl rand -base64 32'

/** Where `loadSecretKey` looks for the key. */
export interface SecretKeySource {
  /** The setting SECRET_KEY: 32 bytes in Base64. */
  readonly secretKey?: string | undefined
  /**
   * The folder of the file `secret.key`, for a service without the setting. Left out when several processes share a
   * key, which a local file cannot provide.
   */
  readonly dataDir?: string | undefined
}

/**
 * Returns the service's secret key: the setting if present, else the file `secret.key` in the data folder,
 * which is created on the first start.
 * @throws Error with a one-line message for the operator
 */
export async function loadSecretKey({ secretKey, dataDir }: SecretKeySource): Promise<Uint8Array> {
  if (secretKey !== undefined) return decodeSecretKey(secretKey, 'SECRET_KEY')
  if (dataDir === undefined)
    throw new Error(`SECRET_KEY must be set: there is no folder for a file with the key. ${GENERATE_HINT}`)
  const file = join(dataDir, 'secret.key')
  const text = (await readIfExists(file)) ?? (await createKeyFile(file))
  return decodeKey(
    text.trim(),
    `${file} does not hold 32 bytes in Base64. ` +
      'Put back the key that was there, or delete the file if no data was made with it.',
  )
}

/**
 * Decodes a key of 32 bytes from Base64.
 * @param setting the name of the setting, for the error
 * @throws Error with a one-line message that names the setting, and not its value
 */
export function decodeSecretKey(text: string, setting: string): Uint8Array {
  return decodeKey(text, `${setting} must be 32 bytes in Base64. ${GENERATE_HINT}`)
}

function decodeKey(text: string, message: string): Uint8Array {
  try {
    const key = decodeBase64(text)
    if (key.length === SECRET_KEY_BYTES) return key
  } catch {
    // Reported below: the message must not contain the text, which is a secret.
  }
  throw new Error(message)
}

async function readIfExists(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw buildFileError(file, error)
  }
}

async function createKeyFile(file: string): Promise<string> {
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 })
    await writeAtomically(file, `${encodeBase64(randomBytes(SECRET_KEY_BYTES))}\n`)
    return await readFile(file, 'utf8')
  } catch (error) {
    throw buildFileError(file, error)
  }
}

/**
 * Writes a temporary file and links it. A hard link is atomic and never replaces a file: when several
 * processes start at the same time, the first one creates the key and the others read it.
 */
async function writeAtomically(file: string, text: string): Promise<void> {
  const temporaryFile = `${file}.${randomUUID()}`
  try {
    await writeFile(temporaryFile, text, { flag: 'wx', mode: 0o600, flush: true })
    await link(temporaryFile, file)
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error
  } finally {
    await rm(temporaryFile, { force: true })
  }
}

function buildFileError(file: string, error: unknown): Error {
  const reason = error instanceof Error ? error.message : String(error)
  return new Error(
    `Cannot read or make ${file} (${reason}). Let the service write to that folder, or set SECRET_KEY.`,
    { cause: error },
  )
}

function errorCode(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}
