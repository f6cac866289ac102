import { closeSync, existsSync, openSync, readSync, writeSync } from 'node:fs'
import type { FastClockOptions } from './fast-clock.ts'

/** A text of always the same length is replaced at once, so that no process reads a half of it. */
const length = 128

/** Sets the clock of all processes that read this file. */
export function writeClock(file: string, options: FastClockOptions): void {
  const place = openSync(file, existsSync(file) ? 'r+' : 'w')
  writeSync(place, JSON.stringify(options).padEnd(length), 0)
  closeSync(place)
}

/**
 * Reads at each call what the file says. All processes of a machine see at once that its clock was set; an order to each of
 * them would come to some of them later, and to a frozen one after it has gone on.
 */
export function clockIn(file: string): () => FastClockOptions {
  const place = openSync(file, 'r')
  const read = Buffer.alloc(length)
  let known = ''
  let options: FastClockOptions
  return () => {
    readSync(place, read, 0, length, 0)
    const text = read.toString('latin1')
    if (text !== known) options = JSON.parse(text) as FastClockOptions
    known = text
    return options
  }
}
