export const ROLES = ['owner', 'admin', 'member'] as const

/**
 * A role in a workspace. An `owner` or `admin` may write everything. A `member` may create records and write
 * those that are its own or have no owner, may delete no tags and lists, and may write no settings:
 * pipelines, products, task types and custom fields.
 */
export type Role = (typeof ROLES)[number]

/** Owners and admins manage members. Only an owner gives, takes or removes the role of owner. */
export function mayManage(role: Role | undefined, ...roles: readonly Role[]): boolean {
  return role === 'owner' || (role === 'admin' && !roles.includes('owner'))
}
