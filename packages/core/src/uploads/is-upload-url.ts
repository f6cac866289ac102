/** What the texts begin with by which inputs refer to uploads. */
export const scheme = 'upload://'

/** Whether a text of an input has the form of a reference to an upload. The upload need not exist. */
export function isUploadUrl(text: string): boolean {
  return text.startsWith(scheme)
}
