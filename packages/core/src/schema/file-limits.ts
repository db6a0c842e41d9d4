/** Maximum size of an image or attachment, in bytes. */
export const MAX_FILE_BYTES = 2_097_152
/** Maximum number of attachments of an activity. */
export const MAX_ATTACHMENTS = 10
/** Maximum size of the logo of a sender, in bytes. */
export const MAX_LOGO_BYTES = 102_400
/** Maximum width and height of a logo, in pixels: a small file may be a large image. */
export const MAX_LOGO_PIXELS = 2000
