/** Who owns the workspace of the demo. Everybody knows the password. */
export const DEMO_OWNER = { name: 'Ana Lima', email: 'ana@demo.example', password: 'demo-password' } as const
