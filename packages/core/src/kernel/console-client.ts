/**
 * The client id of the service's own console, which acts by the session of a user. No app has it, so OAuth grants
 * it nothing.
 */
export const CONSOLE_CLIENT_ID = '00000000-0000-8000-8000-000000000001'
export const CONSOLE_NAME = 'Console'
