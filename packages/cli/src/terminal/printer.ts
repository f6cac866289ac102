import type { WriteStream } from 'node:tty'
import { escapedText, plainText } from './plain-text.ts'

/**
 * Standard output or standard error. What a server has sent is written by the functions here, after which it can neither
 * control a terminal nor look like another line.
 */
export interface Printer {
  /** Whether it is a terminal, and not a pipe or a file. */
  readonly isTerminal: boolean
  /** The width of the terminal, in characters. 80 if it is unknown. */
  readonly columns: number
  /** Writes one line. */
  line(text: string): void
  /** Writes one line of cells with tabs between them. */
  row(cells: readonly string[]): void
  /** Writes a value as JSON. @param indent by how many spaces each level is indented. @default 0: one line */
  json(value: unknown, indent?: number): void
  /** The stream itself, for the bytes of outputs and for what this program writes to control the terminal. */
  readonly stream: WriteStream
}

/** Makes the printer of a stream. */
export function printer(stream: WriteStream): Printer {
  const row = (cells: readonly string[]) => void stream.write(`${cells.map(plainText).join('\t')}\n`)
  return {
    get isTerminal() {
      return stream.isTTY === true
    },
    get columns() {
      return stream.columns || 80
    },
    line: (text) => row([text]),
    row,
    json: (value, indent = 0) => void stream.write(`${escapedText(JSON.stringify(value, null, indent))}\n`),
    stream,
  }
}
