import { gatheredBytes } from '../bytes/gathered-bytes.ts'
import { piecesOf } from '../bytes/pieces-of.ts'
import { type WatchedBody, watchedBody } from '../bytes/watched-body.ts'
import type { Clock } from '../contracts/clock.ts'
import type { OutputChange, OutputFile } from '../contracts/plugin/output-change.ts'
import { withinLimit } from '../pacing/within-limit.ts'

/** A change that a plugin makes to the file of an output. */
export interface NamedChange {
  readonly change: OutputChange
  /** Reports why the change has failed. The file is stored without it. */
  failed(fault: unknown): void
}

/** Finds the changes that plugins make to a file. @returns none when no plugin changes it */
export type ChangesOf = (file: OutputFile) => readonly NamedChange[]

/** The changes of one file. A change that has failed is left out. */
export interface FileChanges {
  /** Makes the changes that are left. @returns the file itself when there are none */
  applied(file: WatchedBody): WatchedBody
  /** Leaves out the change that has failed since `applied`. @returns whether there was one */
  leaveOutFailed(): boolean
  /** Leaves out all changes, for this reason. */
  leaveOutAll(fault: unknown): void
  /** Whether no change is left. */
  readonly areNone: boolean
}

/** Takes the changes of one file. */
export function fileChanges(named: readonly NamedChange[]): FileChanges {
  let left = named
  /** The file, and what each change has made of it. */
  let stages: WatchedBody[] = []

  function leaveOut(change: NamedChange, fault: unknown): void {
    left = left.filter((other) => other !== change)
    stages = []
    change.failed(fault)
  }

  return {
    applied(file) {
      stages = [file]
      for (const { change } of left) stages.push(stageAfter(stages.at(-1) ?? file, change))
      return stages.at(-1) ?? file
    },
    leaveOutFailed() {
      // The first stage that has failed is the one at fault: its error reaches those behind it.
      const failed = stages.findIndex((stage) => stage.fault() !== undefined)
      const change = left[failed - 1]
      if (change) leaveOut(change, stages[failed]!.fault())
      return change !== undefined
    },
    leaveOutAll(fault) {
      for (const change of left) leaveOut(change, fault)
    },
    get areNone() {
      return left.length === 0
    },
  }
}

/** What a change makes of a body. If it throws, the stream fails with its error. */
function stageAfter({ stream }: WatchedBody, change: OutputChange): WatchedBody {
  try {
    return watchedBody(change(stream))
  } catch (fault) {
    if (!stream.locked) stream.cancel(fault).catch(() => {})
    return watchedBody(
      new ReadableStream({
        start(controller) {
          controller.error(fault)
        },
      }),
    )
  }
}

/** How long the changes of bytes may take, in milliseconds. */
const changeLimitMs = 5 * 60_000

/** Makes the changes to a file that is in memory. Never rejects. @returns the file itself when there are none */
export async function changedBytes(
  bytes: Uint8Array,
  named: readonly NamedChange[],
  clock: Clock,
): Promise<Uint8Array> {
  const changes = fileChanges(named)
  while (!changes.areNone) {
    const { stream } = changes.applied(watchedBody(piecesOf(bytes)))
    try {
      return await withinLimit(clock, changeLimitMs, 'change of an output', () => gathered(stream))
    } catch (fault) {
      if (!changes.leaveOutFailed()) changes.leaveOutAll(fault)
    }
  }
  return bytes
}

async function gathered(stream: ReadableStream<Uint8Array>): Promise<Uint8Array> {
  const whole = gatheredBytes()
  const reader = stream.getReader()
  for (let read = await reader.read(); !read.done; read = await reader.read()) whole.add(read.value)
  return whole.whole()
}
