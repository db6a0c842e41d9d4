import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { Reply } from './answer.ts'
import type { PageRequest } from './pages/routes/visit.ts'
import { takesGzip } from './takes.ts'

/** What is sent as it is, the same to everybody. */
interface Kept extends Reply {
  readonly raw: NonNullable<Reply['raw']>
}

const pack = promisify(gzip)

/** Gives what is made once to everybody, and packed once to those who take it packed. What could not be made is made again for the next. */
export function packed(make: () => Promise<Kept>): (request: Pick<PageRequest, 'req'>) => Promise<Reply> {
  const whole = once(async () => varying(await make()))
  const small = once(async () => {
    const { raw, ...reply } = await whole()
    return varying({ ...reply, raw: new Uint8Array(await pack(raw)) }, { 'Content-Encoding': 'gzip' })
  })
  return ({ req }) => (takesGzip(req.header('Accept-Encoding')) ? small() : whole())
}

function varying(reply: Kept, more: Readonly<Record<string, string>> = {}): Kept {
  return { ...reply, headers: { ...reply.headers, ...more, Vary: 'Accept-Encoding' } }
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => {
    made ??= make().catch((error) => {
      made = undefined
      throw error
    })
    return made
  }
}
