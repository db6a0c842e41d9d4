import type { Operation } from './operation.ts'

/** A route as the document describes it. */
export interface DocumentedRoute {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Path with parameters in the syntax of routes: `/v1/people/:id`. */
  readonly path: string
  readonly operation: Operation
  readonly access: Access
  readonly limitedBy: LimitedBy
}

/** Required credentials: a token with a scope, a client with its secret, or none. */
export type Access =
  | { readonly scope: string | null; readonly alternativeScope?: string | undefined }
  | 'client'
  | 'nobody'

/** Rate limit that the calls count against; `null` for a route without a limit. */
export type LimitedBy = 'app' | 'address' | 'OAUTH' | 'REGISTER' | null

export function requiresToken(access: Access): access is Exclude<Access, string> {
  return typeof access === 'object'
}

/** `/v1/people/{id}` */
export function pathTemplate(path: string): string {
  return path.replaceAll(/:(\w+)/g, '{$1}')
}

export function pathParameterNames(path: string): readonly string[] {
  return Array.from(path.matchAll(/:(\w+)/g), ([, name]) => name!)
}

/** `Person not found.` → `PersonNotFound` */
export function toPascalCase(text: string): string {
  return text.replaceAll(
    /[^A-Za-z0-9]*([A-Za-z0-9]+)[^A-Za-z0-9]*/g,
    (_, word: string) => word.charAt(0).toUpperCase() + word.slice(1),
  )
}
