export type EmailType = 'work' | 'home' | 'other'

export type PhoneType = 'mobile' | 'work' | 'home' | 'other'

export interface EmailEntry {
  readonly email: string
  readonly type: EmailType
}

export interface PhoneEntry {
  readonly phone: string
  readonly type: PhoneType
}
