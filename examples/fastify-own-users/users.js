import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

const hash = promisify(scrypt)
const HASH_BYTES = 64
const COOKIE = 'session'

/** The users of this application and their sessions, in memory. */
export class Users {
  #users = new Map()
  #sessions = new Map()

  /** Returns the user, or undefined if the address is taken. `workspace` is the slug of a workspace. */
  async add({ email, password, workspace }) {
    const salt = randomBytes(16)
    const user = { email, workspace, salt, hash: await hash(password, salt, HASH_BYTES) }
    if (this.#users.has(email)) return undefined
    this.#users.set(email, user)
    return user
  }

  remove({ email }) {
    this.#users.delete(email)
  }

  /** Returns a `Set-Cookie` header, or undefined for a wrong address or password. */
  async signIn({ email, password }) {
    const user = this.#users.get(email)
    // An unknown address takes as long as a wrong password.
    const given = await hash(password, user?.salt ?? '', HASH_BYTES)
    if (!user || !timingSafeEqual(given, user.hash)) return undefined
    const id = randomBytes(32).toString('hex')
    this.#sessions.set(id, user)
    return `${COOKIE}=${id}; HttpOnly; Secure; SameSite=Lax; Path=/`
  }

  /** Returns the user of a `Cookie` header. */
  find(cookies) {
    const id = new RegExp(`(?:^|; )${COOKIE}=(\\w+)`).exec(cookies ?? '')?.[1]
    return this.#sessions.get(id)
  }
}
