export type EmailType = 'work' | 'home' | 'other'

export type PhoneType = 'mobile' | 'work' | 'home' | 'other'

/** An e-mail address of a person or company. */
export interface EmailEntry {
  readonly email: string
  readonly type: EmailType
}

/** A phone number of a person or company. */
export interface PhoneEntry {
  /** Digits, spaces and `+-().`, in the form that was sent. */
  readonly phone: string
  readonly type: PhoneType
}
