import { createHash, createHmac } from 'node:crypto'
import { type Actor, type Crm, CrmError, createCrm, type ErrorCode, type FieldErrors } from '../src/index.ts'
import { memoryStorage } from '../src/memory/index.ts'
import type { FileContent, FileError, Passwords, Ports } from '../src/ports/index.ts'
import type { Storage } from '../src/ports/storage.ts'

export const NOON = '2026-03-01T12:00:00.000Z'
/** A valid id of no record. */
export const UNKNOWN_ID = 'ffffffff-ffff-7fff-bfff-ffffffffffff'

export interface FakeClock {
  now(): string
  set(at: string): void
  advance(seconds: number): void
}

export function fakeClock(start: string): FakeClock {
  let at = start
  return {
    now: () => at,
    set(instant) {
      at = instant
    },
    advance(seconds) {
      at = new Date(Date.parse(at) + seconds * 1000).toISOString()
    },
  }
}

/** Sequential UUIDs from `start`, with letters in them. */
export function sequentialIds(start = 1): () => string {
  let next = start
  return () => `0198c0de-0000-7000-8000-${String(next++).padStart(12, '0')}`
}

/** Deterministic random bytes: the same in every run. */
export function seededBytes(seed = 1): (count: number) => Uint8Array {
  let state = seed
  const next = () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    return state >>> 16
  }
  return (count) => Uint8Array.from({ length: count }, next)
}

export const secrets: Ports['secrets'] = {
  hash: (secret) => createHash('sha256').update(secret).digest('hex'),
  sign: (text, key) => createHmac('sha256', key).update(text).digest('hex'),
  matches: (secret, hash) => createHash('sha256').update(secret).digest('hex') === hash,
  seal: (secret, context) => JSON.stringify([context, ...secret]),
  open(sealed, context) {
    const [sealedContext, ...bytes] = JSON.parse(sealed) as [string, ...number[]]
    if (sealedContext !== context) throw new Error('Sealed for something else.')
    return Uint8Array.from(bytes)
  },
}

export const tokens: Ports['tokens'] = {
  sign(claims, kid, secret) {
    const signedPart = `${encodeJson({ alg: 'HS256', kid })}.${encodeJson(claims)}`
    return `${signedPart}.${signature(signedPart, secret)}`
  },
  readKeyId(token) {
    const [header, claims, tokenSignature] = token.split('.')
    if (!header || !claims || !tokenSignature) return undefined
    try {
      return decodeJson(header)['kid'] as string
    } catch {
      return undefined
    }
  },
  verify(token, secret) {
    const lastDot = token.lastIndexOf('.')
    if (signature(token.slice(0, lastDot), secret) !== token.slice(lastDot + 1)) return undefined
    return decodeJson(token.split('.')[1]!)
  },
}

/** Accepts any https URL. */
export const parseOutboundUrl: Ports['parseOutboundUrl'] = (text) => {
  const url = URL.parse(text)
  return url?.protocol === 'https:'
    ? { url: url.href, host: url.hostname }
    : { error: 'Must be an https URL.' }
}

/** Accepts any non-empty text as a file. */
export const files: Ports['files'] = {
  decodeImage: async (encodedFile) => toFile(encodedFile, 'image/png'),
  fetchImage: async (url) => toFile(url, 'image/png'),
  decodeLogo: async (encodedFile) => toFile(encodedFile, 'image/png'),
  decodeAttachment: async (encodedFile) => toFile(encodedFile, 'text/plain; charset=utf-8'),
}

function toFile(encodedFile: string, content_type: string): FileContent | FileError {
  return encodedFile === ''
    ? { error: 'Must not be empty.' }
    : { content: encodedFile, content_type, size: encodedFile.length }
}

function encodeJson(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

function decodeJson(text: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(text, 'base64url').toString())
}

function signature(signed: string, secret: Uint8Array): string {
  return createHmac('sha256', secret).update(signed).digest('base64url')
}

/** Hashes are readable, and one password is common. */
export const passwords: Passwords = {
  hash: async (password) => `hash of ${password}`,
  verify: async (password, hash) => hash === `hash of ${password}`,
  isCommon: async (password) => password === 'password1',
}

export interface TestCrm {
  readonly ports: Ports
  readonly storage: Storage
  readonly clock: FakeClock
  readonly crm: Crm
  /** Members of the workspace `acme`, with every scope. */
  readonly owner: Actor
  readonly admin: Actor
  readonly ann: Actor
  readonly ben: Actor
  /** The owner of the other workspace, `other`. */
  readonly otherOwner: Actor
}

export const OWNER = { name: 'Olga Owner', email: 'olga@acme.example' }
export const ANN = { name: 'Ann Member', email: 'ann@acme.example' }
export const BEN = { name: 'Ben Member', email: 'ben@acme.example' }

export async function createTestCrm(overrides: Partial<Ports> = {}): Promise<TestCrm> {
  const clock = fakeClock(NOON)
  const storage = memoryStorage()
  const ports: Ports = {
    storage,
    issuer: 'https://crm.example',
    now: clock.now,
    newId: sequentialIds(),
    random: seededBytes(),
    passwords,
    secrets,
    tokens,
    sanitizeHtml: async (html) => html.replaceAll(/<script>.*?<\/script>/g, ''),
    files,
    parseOutboundUrl,
    fetchDocument: async () => undefined,
    ...overrides,
  }
  const crm = createCrm(ports)
  const { operator } = crm
  await operator.createWorkspace({
    name: 'Acme',
    slug: 'acme',
    owner_name: OWNER.name,
    owner_email: OWNER.email,
  })
  await operator.addMember({ workspace: 'acme', name: 'Ada Admin', email: 'ada@acme.example', role: 'admin' })
  await operator.addMember({ workspace: 'acme', ...ANN, role: 'member' })
  await operator.addMember({ workspace: 'acme', ...BEN, role: 'member' })
  await operator.createWorkspace({
    name: 'Other',
    slug: 'other',
    owner_name: 'Sam',
    owner_email: 'sam@other.example',
  })
  const actor = (workspace: string, email: string) => operator.actorFor({ workspace, email })
  return {
    ports,
    storage: ports.storage,
    clock,
    crm,
    owner: await actor('acme', OWNER.email),
    admin: await actor('acme', 'ada@acme.example'),
    ann: await actor('acme', ANN.email),
    ben: await actor('acme', BEN.email),
    otherOwner: await actor('other', 'sam@other.example'),
  }
}

export interface Rejection {
  readonly code: ErrorCode
  readonly message: string
  readonly fields?: FieldErrors
}

/** Returns the error that a call was rejected with. Rethrows any other error. */
export async function catchRejection(work: Promise<unknown> | (() => unknown)): Promise<Rejection> {
  try {
    await (typeof work === 'function' ? work() : work)
  } catch (error) {
    if (!(error instanceof CrmError)) throw error
    const { code, message, fields } = error
    return fields === undefined ? { code, message } : { code, message, fields }
  }
  throw new Error('Expected a rejection.')
}

/** Returns the error messages of a rejected call by field. */
export async function catchFieldErrors(work: Promise<unknown> | (() => unknown)): Promise<FieldErrors> {
  const { code, message, fields } = await catchRejection(work)
  if (code !== 'validation_error' || message !== 'Validation failed.' || !fields)
    throw new Error(`Rejected with another error: ${code}, ${message}`)
  return fields
}
