import type { Operation } from './operation.ts'

/** A route as the document tells of it. */
export interface DocumentedRoute {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** As routes write it: `/v1/people/:id`. */
  readonly path: string
  readonly operation: Operation
  readonly access: Access
  readonly limitedBy: LimitedBy
}

/** Whom it asks for: a token, and which scope it must hold; a client and its secret; or nobody. */
export type Access =
  | { readonly scope: string | null; readonly alternativeScope?: string | undefined }
  | 'client'
  | 'nobody'

/** Which limit its calls count for. `null` for those that are never refused. */
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
