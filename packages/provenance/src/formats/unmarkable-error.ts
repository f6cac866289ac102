/** The error of a file that can't be marked. */
export class UnmarkableError extends Error {
  override name = 'UnmarkableError'

  /** @param why what is wrong with the file, such as `it is cut off` */
  constructor(why: string) {
    super(`the file can not be marked: ${why}`)
  }
}
