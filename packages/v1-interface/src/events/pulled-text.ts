import type { TextSource } from '../interface/v1-request.ts'

/**
 * Text that comes at any time, for a client that takes it piece by piece. What comes while the client does not take a piece
 * is kept by the class that extends this one.
 *
 * This is a class, because thousands of clients may wait, and closures would take three times as much memory.
 */
export abstract class PulledText implements TextSource {
  /** Whether no text comes any more. */
  protected isOver = false
  #give: ((piece: string | undefined) => void) | undefined

  /** Takes the text that has come since the last piece. @returns an empty text when none has come */
  protected abstract takePiece(): string

  abstract cancel(): void

  next(): Promise<string | undefined> {
    const piece = this.takePiece()
    if (piece !== '' || this.isOver) return Promise.resolve(piece === '' ? undefined : piece)
    return new Promise((resolve) => void (this.#give = resolve))
  }

  /** Gives the text that has come to a client that waits for a piece. */
  protected wake(): void {
    if (!this.#give) return
    const piece = this.takePiece()
    if (piece !== '' || this.isOver) this.giveNow(piece)
  }

  /** Gives a text to a client that waits for a piece, such as a heartbeat. Does nothing when none waits. */
  protected giveNow(piece: string): void {
    const give = this.#give
    this.#give = undefined
    give?.(piece === '' ? undefined : piece)
  }
}
