import type { WriteStream } from 'node:tty'

const width = 30
/**
 * The time in which the bar fills to 63 %, in milliseconds. The bar gets slower all the time, because nobody knows how
 * long a job takes, and a full bar would be a lie.
 */
const usualMs = 4000

/** Shows that something goes on: a bar on a terminal, a line at a time in a pipe. */
export function progress(output: WriteStream, name: string) {
  let shownSeconds = -1
  return {
    update(elapsedMs: number): void {
      const seconds = Math.floor(elapsedMs / 1000)
      if (output.isTTY) {
        const done = Math.floor(width * (1 - Math.exp(-elapsedMs / usualMs)))
        output.write(
          `\r  ${name} [${'#'.repeat(done)}${'.'.repeat(width - done)}] ${(elapsedMs / 1000).toFixed(1)} s`,
        )
      } else if (seconds > shownSeconds) {
        output.write(`  ${name} processing for ${seconds} s\n`)
      }
      shownSeconds = seconds
    },
    /** Says something in between, on a line of its own. */
    note(text: string): void {
      output.write(output.isTTY ? `\n${text}\n` : `${text}\n`)
    },
    end(status: string): void {
      output.write(
        output.isTTY ? `\r  ${name} [${'#'.repeat(width)}] ${status}    \n` : `  ${name} ${status}\n`,
      )
    },
  }
}
