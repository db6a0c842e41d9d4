/** Owner of the demo workspace. The password is public. */
export const DEMO_OWNER = { name: 'Ana Lima', email: 'ana@demo.example', password: 'demo-password' } as const
