/* Does one thing with a store on disk and prints what became of it: `run-task.ts <task> <folder> ...`. */
import { createHash } from 'node:crypto'
import { readdirSync, statSync } from 'node:fs'
import { readdir, readlink } from 'node:fs/promises'
import { join } from 'node:path'
import process from 'node:process'
import { diskFiles } from '@genmount/files-disk'
import { chunkBytes, numberedStream } from '../numbered-stream.ts'
import { peakMemory, peakOfReading } from '../peak-memory.ts'
import { filmStream } from './film.ts'

const [, , task = '', folder = '', argument] = process.argv
const files = diskFiles({ folder })
const print = (what: unknown) => console.log(JSON.stringify(what))
const rightsOf = (path: string) => (statSync(path).mode & 0o777).toString(8)
const rightsInside = () => readdirSync(folder).map((name) => rightsOf(join(folder, name)))

const tasks: Record<string, () => Promise<void>> = {
  /** Stores one version of a film after the other under the same key, and says when one is stored, until it is killed. */
  async 'store versions'() {
    for (let version = 1; ; version++) {
      await files.put('film', filmStream(version), `video/${version}`)
      console.log(version)
    }
  },

  /** Stores a film over an old one and a film under a fresh key, and stops in both at a chunk until it is killed. */
  async 'hold two films'() {
    setInterval(() => {}, 1000) // A held stream alone would not keep the process.
    const stream = () => filmStream(2, Number(argument), () => console.log('held'))
    await Promise.all(['old', 'fresh'].map((key) => files.put(key, stream(), 'video/two')))
  },

  /** Stores a megabyte as another user if one is named. Prints why `put` failed and whether the file is there. */
  async 'store a megabyte'() {
    const body = new Blob([new Uint8Array(1024 * 1024)]).stream()
    if (argument) process.setuid?.(Number(argument))
    const failure = await files.put('large', body, 'video/mp4').then(
      () => undefined,
      ({ message, cause }: Error) => ({ message, code: (cause as NodeJS.ErrnoException | undefined)?.code }),
    )
    print({ failure, isThere: (await files.open?.('large')) !== undefined })
  },

  async 'be ready'() {
    if (argument) process.setuid?.(Number(argument))
    print(
      await files.ready?.().then(
        () => 'ready',
        ({ message }: Error) => message,
      ),
    )
  },

  /** Prints the rights of the folder, of a file while it comes in, and of the stored file. */
  async 'print rights'() {
    let comingIn: readonly string[] = []
    const body = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          comingIn = rightsInside()
          controller.enqueue(new Uint8Array(1000))
          controller.close()
        },
      },
      { highWaterMark: 0 },
    )
    await files.put('film', body, 'video/mp4')
    print({ folder: rightsOf(folder), comingIn, stored: rightsInside() })
  },

  /** Runs cases of the conformance suite. A file that is still open afterwards makes the process fail. */
  async 'run suite'() {
    // Imported here, because the other tasks start sooner without it.
    const { fileStoreSuite } = await import('@genmount/testing')
    const { printSuites } = await import('../conformance/print-suites.ts')
    let count = 0
    await printSuites(fileStoreSuite(() => ({ files: diskFiles({ folder: join(folder, `${count++}`) }) })))
    for (const fd of await readdir('/proc/self/fd')) {
      const target = await readlink(`/proc/self/fd/${fd}`).catch(() => '')
      if (target.startsWith(folder)) throw new Error(`${target} is still open`)
    }
  },

  /** Stores 500 MB from a stream, reads them back, and prints by how much that raised the memory of the process. */
  async 'store 500 MB'() {
    const chunkCount = 500_000_000 / chunkBytes
    await files.put('warm up', numberedStream(20), 'video/mp4')
    const before = await peakOfReading(chunkCount)
    const [written, read] = [createHash('sha256'), createHash('sha256')]
    await files.put('large', numberedStream(chunkCount, written), 'video/mp4')
    const file = await files.open?.('large')
    if (file) for await (const chunk of file.read()) read.update(chunk)
    const raisedMB = (peakMemory() - before) / 1_000_000
    print({ size: file?.size, isSame: written.digest('hex') === read.digest('hex'), raisedMB })
  },
}

await tasks[task]!()
