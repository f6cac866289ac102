import { readdirSync } from 'node:fs'
import { diskFiles } from '@genmount/files-disk'
import { expect } from 'vitest'
import { startProcess } from '../processes/start-process.ts'
import { temporaryFolder } from '../temporary-folder.ts'
import { digestOf, filmDigest } from './film.ts'
import { taskCommand } from './task-command.ts'

/** Starts a task and kills its process as soon as it has printed so many lines. @returns the last whole line */
export async function killAfter(lineCount: number, task: string, ...args: [folder: string, ...string[]]) {
  const writer = startProcess(taskCommand('node', task, ...args))
  for (let count = 0; count < lineCount; count++) await writer.line()
  expect(await writer.kill()).toBe('SIGKILL')
  return writer.output.split('\n').at(-2) ?? ''
}

export async function readBack(folder: string, key: string) {
  const file = await diskFiles({ folder }).open?.(key)
  if (!file) return undefined
  return { contentType: file.contentType, sha256: digestOf(await new Response(file.read()).bytes()) }
}

/** Kills writers that store one version of a film after the other. Checks that the last version or the next one is whole. */
export async function killWriters(rounds: number): Promise<void> {
  for (let round = 0; round < rounds; round++) {
    const folder = temporaryFolder()
    const printed = Number(await killAfter(1 + (round % 4), 'store versions', folder))
    const film = await readBack(folder, 'film')
    const version = Number(film?.contentType.split('/')[1])
    expect([printed, printed + 1]).toContain(version)
    expect(film?.sha256).toBe(filmDigest(version))
    expect(readdirSync(folder).length).toBeLessThanOrEqual(2)
  }
}
