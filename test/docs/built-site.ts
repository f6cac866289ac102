import { randomUUID } from 'node:crypto'
import { globSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import express from 'express'
import { afterAll, beforeAll } from 'vitest'
import { repo } from '../processes/repo.ts'
import { outputOf } from '../processes/run-program.ts'
import { runtimes } from '../processes/runtimes.ts'
import { served } from '../served.ts'

const { scripts } = JSON.parse(readFileSync(join(repo, 'package.json'), 'utf8'))

/** A folder of this worker alone, because several may build the site at once. */
const build = join(repo, 'packages/docs/dist', `test-${randomUUID()}`)

/** Where the site is. */
export const siteFolder = join(build, 'site')

/**
 * Builds the site before the tests of a file with the command of `npm run docs`, as on a machine that is none of
 * GitHub's. Removes it after them.
 */
export function useSite(onBuilt = () => {}): void {
  beforeAll(async () => {
    const [, ...args] = (scripts.docs as string).split(' ')
    await outputOf([runtimes.node[0], ...args, build], { timeoutMs: 300_000 })
    onBuilt()
  })
  afterAll(() => rmSync(build, { recursive: true, force: true }))
}

/** The files of the site with one of these endings, as paths from its folder, with their texts. */
export function filesOf(...endings: string[]): (readonly [path: string, text: string])[] {
  return globSync(`**/*.{${endings.join()},}`, { cwd: siteFolder })
    .toSorted()
    .map((path) => [path, readFileSync(join(siteFolder, path), 'utf8')])
}

/** @returns the origin of a plain server of files that serves the site until the test has ended */
export const servedSite = (): Promise<string> => served(express().use(express.static(siteFolder)))
