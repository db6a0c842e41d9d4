/** The texts of a key that is derived from the name of its record. */
export const KEY_DESCRIPTIONS = {
  description: 'Identifier for requests: lower-case letters and digits, joined by single underscores.',
  inputDescription: {
    create:
      'Lower-case letters and digits, joined by single underscores, unique. Default: derived from the name.',
    update: 'Lower-case letters and digits, joined by single underscores, unique.',
  },
} as const
