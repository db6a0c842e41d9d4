import type { Operation } from './operation.ts'

/** A route as the document tells of it. */
export interface ToldRoute {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** As routes write it: `/v1/people/:id`. */
  readonly path: string
  readonly about: Operation
  readonly access: Access
  readonly counted: Counted
}

/** Whom it asks for: a token, and which scope it must hold; a client and its secret; or nobody. */
export type Access = { readonly scope: string | null; readonly orScope?: string | undefined } | 'client' | 'nobody'

/** Which limit its calls count for. `null` for those that are never refused. */
export type Counted = 'app' | 'address' | 'OAUTH' | 'REGISTER' | null

export function isByToken(access: Access): access is Exclude<Access, string> {
  return typeof access === 'object'
}

/** `/v1/people/{id}` */
export function templateOf(path: string): string {
  return path.replaceAll(/:(\w+)/g, '{$1}')
}

export function paramsIn(path: string): readonly string[] {
  return Array.from(path.matchAll(/:(\w+)/g), ([, name]) => name!)
}

/** `Person not found.` → `PersonNotFound` */
export function pascal(text: string): string {
  return text.replaceAll(/[^A-Za-z0-9]*([A-Za-z0-9]+)[^A-Za-z0-9]*/g, (_, word: string) => word.charAt(0).toUpperCase() + word.slice(1))
}
