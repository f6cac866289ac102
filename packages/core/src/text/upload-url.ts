/** The beginning of each text by which an input refers to an upload. */
export const scheme = 'upload://'

/** Whether a text of an input has the form of a reference to an upload. The upload need not exist. */
export function isUploadUrl(text: string): boolean {
  return text.startsWith(scheme)
}

/** The prefix of the keys of all uploads in the file store. */
export const uploadPrefix = 'uploads/'
