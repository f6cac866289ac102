const reasons: Readonly<Record<string, string>> = {
  ENOSPC: 'no space is left on the disk',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'a file is larger than this process may write',
  EROFS: 'the disk is read-only',
  EACCES: 'permission is missing',
  EPERM: 'permission is missing',
  EEXIST: 'that is not a folder',
  ENOTDIR: 'that is not a folder',
  ELOOP: 'there is a symbolic link in place of a file',
  EMFILE: 'this process has too many open files',
}

/**
 * Awaits work on a folder. @throws Error that names the folder and the reason; its cause is the error with
 * the code
 */
export async function inFolder<Result>(folder: string, work: Promise<Result>): Promise<Result> {
  try {
    return await work
  } catch (cause) {
    throw new Error(`Files in ${folder}: ${reasonOf(cause)}.`, { cause })
  }
}

function reasonOf(cause: unknown): string {
  const { code = '', message } = cause as NodeJS.ErrnoException
  const reason = reasons[code]
  return reason === undefined ? message : `${reason} (${code})`
}
