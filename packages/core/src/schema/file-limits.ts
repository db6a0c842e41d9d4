/** Maximum size of an image or attachment, in bytes. */
export const MAX_FILE_BYTES = 2_097_152
/** Maximum number of attachments of an activity. */
export const MAX_ATTACHMENTS = 10
