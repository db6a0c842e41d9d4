/** The scope of `crm.members.list` and `crm.members.get`. */
export const MEMBERS_SCOPE = 'members:read'

/** The scope of everything that changes members, and of their invitations. */
export const MANAGE_MEMBERS_SCOPE = 'members:manage'
